import type { BranchKind, KeyKind } from '../../api/api';

const shapes = {
  file: 'M4 1.5h5.5L13 5v9.5H4zM9.5 1.5V5H13',
  directory: 'M1.5 4V13h13V5H8L6.5 3h-5z',
  tree: 'M8 14.5V5M8 8.5 4.5 6M8 10.5l4-3.5M8 5l-2-3M8 5l2.2-2.6',
  ntuple: 'M2 3h12v10H2zM2 6.3h12M2 9.7h12M6 3v10M10 3v10',
  histogram: 'M1.5 14h13M3 14V9h3v5M6 9V4h3.5v10M9.5 7H13v7',
  graph: 'M1.5 1.5v13h13M3.5 11.5 6.5 7l3 2.5 4-6',
  object: 'M6 2.5c-3 0-1 5-3.5 5.5C5 8.5 3 13.5 6 13.5M10 2.5c3 0 1 5 3.5 5.5-2.5.5-.5 5.5-3.5 5.5',
  number: 'M6.5 2.5 5 13.5M11 2.5 9.5 13.5M2.8 6h11M2.2 10h11',
  string: 'M3 4.5V3h10v1.5M8 3v10M6 13h4',
  group: 'M2 3.5h5M4 3.5v9.5h3M4 8h3M9 6.5h5v3H9zM9 11.5h5v3H9zM9 2h5v3H9z',
  canvas: 'M1.5 2.5h13v11h-13zM8 2.5v11M3.5 11V7.5h1.5V11M10 10.5l1.5-3.5 1.5 2',
  function: 'M1.5 1.5v13h13M3 12c3 0 2.5-8 5-8s2 8 5.5 8',
  list: 'M2 4h1M5.5 4H14M2 8h1M5.5 8H14M2 12h1M5.5 12H14',
  note: 'M8 4v5M8 11v1',
  chevron: 'm6 4 4 4-4 4',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7',
  system: 'M1.5 3h13v8.5h-13zM5.5 14h5M8 11.5V14',
  open: 'M8 10.5V2M4.8 5 8 2l3.2 3M2 10v4h12v-4',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.3 10.3 14 14',
  close: 'm4 4 8 8M12 4l-8 8',
  done: 'm2.5 8.5 3.5 3.5 7.5-8',
  link: 'M6.5 9.5 9.5 6.5M7.5 4.5 9.3 2.7a2.8 2.8 0 0 1 4 4L11.5 8.5M8.5 11.5l-1.8 1.8a2.8 2.8 0 0 1-4-4L4.5 7.5',
  download: 'M8 2v8.5M4.8 7.5 8 10.5l3.2-3M2 10v4h12v-4',
  shield: 'M8 1.5 13.5 3.5v4c0 3.5-2.3 5.8-5.5 7-3.2-1.2-5.5-3.5-5.5-7v-4zM5.5 8l1.8 1.8L10.6 6.3',
} satisfies Record<string, string>;

export type IconName = keyof typeof shapes | KeyKind | BranchKind;

/** A line drawing of 16 by 16 pixels. It is only decoration; the text beside it has the meaning. */
export function Icon({ name, class: extra = '' }: { name: IconName; class?: string }): JSX.Element {
  return (
    <svg class={`icon icon-${name} ${extra}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  );
}

/** The mark: vessels that rise from roots and part into branches. */
export function Logo(): JSX.Element {
  return (
    <svg class="logo" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <rect width="32" height="32" rx="9" />
      <path d="M16 27V13M16 20c0-5-5-5-6-11M16 20c0-5 5-5 6-11M16 13V5M11 27c3-1 5-2.5 5-5M21 27c-3-1-5-2.5-5-5" />
    </svg>
  );
}
