import { splitArguments } from './cpp-type';

/** Words that name no class and no member. */
const RESERVED = new Set(
  [
    'alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t',
    'class co_await co_return co_yield compl concept const consteval constexpr constinit const_cast continue',
    'decltype default delete do double dynamic_cast else enum explicit export extern false float for friend',
    'goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private',
    'protected public register reinterpret_cast requires return short signed sizeof static static_assert',
    'static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned',
    'using virtual void volatile wchar_t while xor xor_eq std',
    // Macros of the headers that are included, and of compilers.
    'NULL EOF BUFSIZ EDOM ERANGE EILSEQ HUGE_VAL INFINITY NAN CHAR_BIT SIZE_MAX WEOF assert errno linux unix',
    'i386 stdin stdout stderr offsetof major minor signbit isnan isinf',
  ].flatMap((line) => line.split(' ')),
);

const MAX_LENGTH = 1000;
const DEEPEST = 8;

/** Whether C++ takes a text as the name of a class or member. */
export function isIdentifier(text: string): boolean {
  return /^(?!__)[A-Za-z_]\w{0,200}$/.test(text) && !RESERVED.has(text);
}

/**
 * The parts of a class's name between "::", each with the arguments of its template; undefined for a name that C++ does not
 * take. `name` is normalised.
 */
export function scopesOf(name: string): string[] | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const scopes: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= name.length; i++) {
    const character = name[i];
    if (character === '<' && ++depth > DEEPEST) return undefined;
    if (character === '>') depth--;
    if (i < name.length && !(depth === 0 && name.startsWith('::', i))) continue;
    const scope = name.slice(start, i);
    const angle = scope.indexOf('<');
    if (!isIdentifier(angle < 0 ? scope : scope.slice(0, angle))) return undefined;
    if (angle >= 0 && !templateArguments(scope)?.length) return undefined;
    scopes.push(scope);
    start = i + 2;
    i++;
  }
  return scopes;
}

/** The arguments of a template: those of "Foo<int,Bar>" are "int" and "Bar". Undefined for a class that is none. */
export function templateArguments(scope: string): string[] | undefined {
  const angle = scope.indexOf('<');
  if (angle < 0 || !scope.endsWith('>')) return undefined;
  return splitArguments(scope.slice(angle + 1, -1));
}
