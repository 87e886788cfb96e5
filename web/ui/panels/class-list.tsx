import { useState } from 'preact/hooks';
import type { ClassInfo, MemberInfo } from '../../api/api';
import { formatCount } from '../../base/format';
import { trimEndOf } from '../../base/text';
import { filterTerms, matches } from '../contents/rows';
import { MoreRows, TableHead } from '../widgets/table-parts';

/** Classes and members shown at once. */
const PAGE_SIZE = 200;

/** The classes that a file describes: a list to filter, and the members of the selected one. */
export function ClassList({ classes }: { classes: ClassInfo[] }): JSX.Element {
  const [filter, setFilter] = useState('');
  const [chosen, setChosen] = useState(classes[0]);
  const [limit, setLimit] = useState(PAGE_SIZE);
  if (classes.length === 0 || chosen === undefined) {
    return <p class="hint">This file does not describe its classes.</p>;
  }
  const terms = filterTerms(filter);
  const found = classes.filter((one) => matches(one.name, terms));
  return (
    <div class="classes">
      <div class="class-list">
        <input
          type="search"
          aria-label="Filter the classes"
          placeholder={`Filter ${formatCount(classes.length)} classes`}
          autocomplete="off"
          spellcheck={false}
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setFilter('');
          }}
        />
        {found.length === 0 ? (
          <p class="hint">No class matches the filter.</p>
        ) : (
          <ul aria-label="Classes">
            {found.slice(0, limit).map((one, i) => (
              // Two layouts may have the same name, version and checksum.
              <li key={`${one.name};${one.version};${one.checksum};${i}`}>
                <button type="button" aria-current={one === chosen} onClick={() => setChosen(one)}>
                  <span>{one.name}</span>
                  <span class="version">v{one.version}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
        <MoreRows left={found.length - limit} onMore={() => setLimit(limit * 4)} />
      </div>
      <Members
        key={classes.indexOf(chosen)}
        chosen={chosen}
        find={(member) => describedClass(classes, member)}
        onChoose={setChosen}
      />
    </div>
  );
}

interface MembersProps {
  chosen: ClassInfo;
  /** Returns the class of a member's type, if the file describes it. */
  find(member: MemberInfo): ClassInfo | undefined;
  onChoose(one: ClassInfo): void;
}

function Members({ chosen, find, onChoose }: MembersProps): JSX.Element {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const { name, version, checksum, elements } = chosen;
  return (
    <section class="class-members" aria-label={`Members of ${name}`}>
      <h3>{name}</h3>
      <p class="summary">
        Version {version}, checksum 0x{checksum.toString(16).padStart(8, '0')}
      </p>
      {elements.length === 0 ? (
        <p class="hint">This class has no members in the file.</p>
      ) : (
        <div class="table-box">
          <table>
            <TableHead titles={['Member', 'Type', 'Comment']} />
            <tbody>
              {elements.slice(0, limit).map((member, i) => (
                <tr key={`${i} ${member.name}`}>
                  <th scope="row">{member.base ? <em>base class</em> : member.name}</th>
                  <td class="type">
                    <TypeName member={member} described={find(member)} onChoose={onChoose} />
                  </td>
                  <td class="comment">{member.title}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <MoreRows left={elements.length - limit} onMore={() => setLimit(limit * 4)} />
    </section>
  );
}

interface TypeNameProps {
  member: MemberInfo;
  described: ClassInfo | undefined;
  onChoose(one: ClassInfo): void;
}

/** The type of a member with its dimensions. It is a link if the file describes the class. */
function TypeName({ member, described, onChoose }: TypeNameProps): JSX.Element {
  const text = member.typeName + member.dimensions.map((size) => `[${size}]`).join('');
  if (described === undefined) return <>{text}</>;
  return (
    <button type="button" class="link" onClick={() => onChoose(described)}>
      {text}
    </button>
  );
}

/** Returns the requested version of a base class, otherwise the newest one. */
function describedClass(classes: ClassInfo[], { typeName, baseVersion }: MemberInfo): ClassInfo | undefined {
  const name = trimEndOf(typeName, '* ');
  const versions = classes.filter((one) => one.name === name);
  return (
    versions.find((one) => one.version === baseVersion) ??
    versions.reduce<ClassInfo | undefined>((a, b) => (a && a.version >= b.version ? a : b), undefined)
  );
}
