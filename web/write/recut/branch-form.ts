import type { TreeLayout } from '../../api/layout';
import type { ClassInfo } from '../../api/objects';
import type { BasketForm } from '../../core/basket-packer';
import { branchesOf } from '../encode/tree-edit';
import type { ObjectData } from '../encode/types';

/** Parts of the baskets of a branch besides values. */
export interface BranchForm extends BasketForm {
  /** Whether baskets leave out the offsets of their entries (kGenerateOffsetMap), so that they cannot be cut. */
  whole: boolean;
}

/** Bit of fIOFeatures: kGenerateOffsetMap. */
const GENERATED_OFFSETS = 1;
/** Values of fType of a TBranchElement whose entries are the number of elements: TClonesArray and collections. */
const COUNTS = new Set([3, 4]);

/** The forms of the branches of a tree, in the order of the branch table. `data` is its record. */
export function branchForms(
  { tree }: TreeLayout,
  data: ObjectData,
  classes: readonly ClassInfo[],
): BranchForm[] {
  const hasPointers = pointerFinder(classes);
  return branchesOf(data).map(({ branch }, i) => {
    const offsets = Number(branch.fEntryOffsetLen ?? 0) > 0;
    const features = branch.fIOFeatures as { fIOBits?: unknown } | null | undefined;
    const typeName = tree.branches[i]?.typeName ?? '';
    const isPlain =
      branch._typename === 'TBranch' ||
      COUNTS.has(Number(branch.fType)) ||
      (typeName !== '' && !hasPointers(typeName));
    return {
      offsets,
      references: offsets && !isPlain,
      whole: offsets && (Number(features?.fIOBits ?? 0) & GENERATED_OFFSETS) !== 0,
    };
  });
}

const BASIC = new Set(
  [
    'bool char short int long float double size_t string TString TObject TRef byte',
    'Bool_t Char_t UChar_t Short_t UShort_t Int_t UInt_t Long_t ULong_t Long64_t ULong64_t Float_t Double_t',
    'Float16_t Double32_t Size_t int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t',
  ].flatMap((names) => names.split(' ')),
);
const CONTAINERS = new Set(
  [
    'vector list deque forward_list set multiset unordered_set unordered_multiset map multimap unordered_map',
    'unordered_multimap pair array bitset complex valarray tuple RVec',
    // Arguments of the others.
    'allocator RAdoptAllocator less greater hash equal_to',
  ].flatMap((names) => names.split(' ')),
);
/** Classes that stream objects by pointers with code of their own. */
const OWN_CODE = new Set(
  'TCollection TSeqCollection TObjArray TClonesArray TList TSortedList THashList THashTable TMap TOrdCollection TRefArray TBtree RooLinkedList'.split(
    ' ',
  ),
);
/** fType of a member that is streamed by code of the class. */
const STREAMER = new Set([500, 501]);

/** Tells whether values of a type may hold pointers; types that are not known may. */
function pointerFinder(classes: readonly ClassInfo[]): (typeName: string) => boolean {
  const versions = new Map<string, ClassInfo[]>();
  for (const info of classes) versions.set(info.name, [...(versions.get(info.name) ?? []), info]);
  const known = new Map<string, boolean>();

  function has(typeName: string): boolean {
    const type = bare(typeName);
    if (type.endsWith('*') || OWN_CODE.has(type)) return true;
    if (BASIC.has(type) || Number.isInteger(Number(type))) return false;
    const open = type.indexOf('<');
    const name = type.slice(0, open).replace(/^.*::/, '');
    if (open > 0 && type.endsWith('>') && CONTAINERS.has(name))
      return listed(type.slice(open + 1, -1)).some(has);
    const found = known.get(type);
    if (found !== undefined) return found;
    // A class that holds itself does so by a pointer.
    known.set(type, true);
    const own = versions.get(type) ?? versions.get(typeName);
    const result = own?.every(({ elements }) => elements.every((element) => !within(element))) !== true;
    known.set(type, result);
    return result;
  }

  function within({ typeName, type, counter }: ClassInfo['elements'][number]): boolean {
    if (STREAMER.has(type)) return true;
    const isArray = counter !== '' || bare(typeName) === 'char*';
    return has(isArray ? typeName.replace(/\*\s*$/, '') : typeName);
  }

  return has;
}

/** A type without const, std::, signs and the dimensions of an array. */
function bare(typeName: string): string {
  return typeName
    .replace(/\[[^[\]]*\]/g, '')
    .replace(/\b(?:const|unsigned|signed)\b|\bstd::/g, '')
    .trim()
    .replace(/\b(?:long )?long int\b|\blong long\b|\bshort int\b|\blong double\b/g, 'long')
    .trim();
}

/** The arguments of a template. */
function listed(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '<') depth++;
    else if (text[i] === '>') depth--;
    else if (text[i] === ',' && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...parts, text.slice(start)];
}
