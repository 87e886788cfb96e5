import { internal } from '../../../../base/data-errors';
import { toXylemError, XylemError } from '../../../../base/errors';
import { own } from '../../../../base/search';
import type { Column } from '../../../../core/columns';
import { compressionNumber } from '../../../../core/compression';
import type { ColumnValues, NewNtupleOptions } from '../../../../library/write';
import { sliceColumn } from '../../../../pass/columns/slice-column';
import { NewNtupleMetadata } from '../encode/new-ntuple-metadata';
import type { WrittenEnvelope, WrittenGroup } from '../encode/ntuple-metadata';
import type { Directory } from '../file/file-writer';
import { blobKey, type NtupleOutput, writeEnvelope } from '../ntuple/ntuple-copy';
import { bytesOf } from './branch-form';
import {
  type ColumnPart,
  checkFieldName,
  columnParts,
  columnTypesOf,
  type FieldForm,
  type FieldValues,
  fieldOf,
  fieldText,
} from './field-form';
import { GivenColumns } from './given-columns';
import type { NewFile } from './new-file';
import type { PackedBaskets } from './packed-baskets';
import { type FullPage, PageValues } from './page-values';

/** Half the compressed size of ROOT's clusters, because pages that are not full yet are kept in memory. */
const CLUSTER_BYTES = 64_000_000;
/** Approximate number of pages in a cluster group. Their positions are kept until its page list is written. */
const GROUP_PAGES = 10_000;

/** A page that was written. */
interface Page {
  elements: number;
  /** Bytes in the file, including the checksum. */
  bytes: number;
  at: number;
}

interface NtupleColumn {
  type: number;
  values: PageValues;
  /** Its pages in the open cluster. */
  pages: Page[];
}

interface Cluster {
  first: number;
  entries: number;
  /** Pages of each column. */
  pages: Page[][];
}

/** An RNTuple that is written as entries arrive. */
export class NewNtuple {
  readonly #file: NewFile;
  readonly #place: { directory: Directory; name: string };
  readonly #options: NewNtupleOptions;
  readonly #output: NtupleOutput;
  readonly #packed: PackedBaskets;
  readonly #given: GivenColumns;
  readonly #compress: number;
  #metadata: NewNtupleMetadata | undefined;
  #header: WrittenEnvelope | undefined;
  /** The top-level fields by their names. */
  readonly #fields = new Map<string, FieldForm>();
  readonly #columns: NtupleColumn[] = [];
  #entries = 0;
  /** Error after which some columns have entries that others lack. */
  #failure: XylemError | undefined;
  /** Entries and bytes of the open cluster. */
  #open = { entries: 0, bytes: 0 };
  /** Clusters of the open cluster group, and their pages. */
  #clusters: Cluster[] = [];
  #pages = 0;
  #allPages = 0;
  readonly #groups: WrittenGroup[] = [];

  constructor(file: NewFile, place: { directory: Directory; name: string }, options: NewNtupleOptions) {
    const { out, records, date, templates, codec } = file;
    const { clusterBytes = CLUSTER_BYTES } = options;
    if (!(clusterBytes >= 1)) throw refused(`clusters of ${clusterBytes} bytes cannot be`);
    checkFieldName(place.name);
    this.#file = file;
    this.#place = place;
    this.#options = options;
    this.#given = new GivenColumns(options.types);
    this.#compress = compressionNumber(codec);
    const pack = (envelope: Uint8Array) => templates.codec.pack(envelope, codec);
    this.#output = { out, records, directory: place.directory, date, pack };
    this.#packed = file.packed((bytes) => out.append(blobKey(this.#output, bytes)));
  }

  get entries(): number {
    return this.#entries;
  }

  /** Number of written pages. */
  get pages(): number {
    return this.#allPages;
  }

  /**
   * Appends entries. All columns must have the same number of values. The columns of the first call are the fields of
   * the RNTuple. Throws ARGUMENT and UNSUPPORTED before anything is written, and the errors of the sink.
   */
  async append(columns: Readonly<Record<string, ColumnValues>>): Promise<void> {
    const { given, rows } = this.#given.take(columns, refused);
    const values = given.map(({ name, column }) => ({ name, ...fieldOf(name, column) }));
    const first = this.#metadata === undefined;
    if (first) for (const { name } of values) checkFieldName(name);
    else this.#check(values);
    if (this.#failure) throw this.#failure;
    try {
      if (first) {
        this.#given.remember(given);
        await this.#begin(values);
      }
      // Columns may come in another order.
      const byName = new Map(values.map((one) => [one.name, one]));
      const inOrder = Array.from(this.#fields.keys(), (name) => byName.get(name)).filter(
        (one) => one !== undefined,
      );
      await this.#write(inOrder, rows);
    } catch (thrown) {
      this.#failure = toXylemError(thrown);
      throw thrown;
    }
  }

  /** Writes the last pages, the page list, the footer and the anchor. */
  async finish(): Promise<void> {
    if (this.#failure) throw this.#failure;
    const { metadata, header } = await this.#begin([]);
    await this.#endCluster();
    await this.#endGroup(metadata);
    const footer = await writeEnvelope(metadata.footer(this.#groups), this.#output);
    await this.#file.anchor(this.#place, metadata.anchor(header, footer));
    metadata.free();
  }

  /** Writes the header with these fields, if it was not written yet. */
  async #begin(
    values: readonly (FieldValues & { name: string })[],
  ): Promise<{ metadata: NewNtupleMetadata; header: WrittenEnvelope }> {
    if (this.#metadata && this.#header) return { metadata: this.#metadata, header: this.#header };
    const { core } = this.#file;
    const metadata = new NewNtupleMetadata(core, this.#place.name, this.#options.title ?? '');
    this.#metadata = metadata;
    for (const { name, form } of values) {
      this.#fields.set(name, form);
      this.#addField(metadata, -1, name, form, own(this.#options.titles, name));
    }
    this.#header = await writeEnvelope(metadata.header(), this.#output);
    return { metadata, header: this.#header };
  }

  /** Adds a field with its subfields, and their columns in the order of `columnParts`. */
  #addField(metadata: NewNtupleMetadata, parent: number, name: string, form: FieldForm, about = ''): void {
    const { type } = form;
    const role = form.kind === 'struct' ? 'record' : form.kind === 'list' ? 'collection' : 'leaf';
    const size = form.kind === 'fixed' ? form.size : 0;
    const field = metadata.field({ parent, role, name, type, size, about });
    for (const columnType of columnTypesOf(form, this.#compress > 0)) {
      metadata.column(field, columnType);
      this.#columns.push({ type: columnType, values: new PageValues(), pages: [] });
    }
    if (form.kind === 'list' || form.kind === 'fixed') this.#addField(metadata, field, '_0', form.of);
    if (form.kind === 'struct')
      for (const [member, of] of form.members) this.#addField(metadata, field, member, of);
  }

  /** Throws ARGUMENT if the values do not match the fields. */
  #check(values: readonly (FieldValues & { name: string })[]): void {
    for (const { name, form } of values) {
      const field = this.#fields.get(name);
      if (!field) throw refused(`it has no field "${name}": its first entries had none`, name);
      const [was, is] = [fieldText(field), fieldText(form)];
      if (was !== is) throw refused(`"${name}" was ${was} at first, and is ${is} now`, name);
    }
    const names = new Set(values.map(({ name }) => name));
    const missing = [...this.#fields.keys()].find((name) => !names.has(name));
    if (missing !== undefined) throw refused(`"${missing}" is missing, which the first entries had`, missing);
  }

  /** Divides rows at the ends of clusters. */
  async #write(values: readonly FieldValues[], rows: number): Promise<void> {
    const { clusterBytes = CLUSTER_BYTES } = this.#options;
    const sizeOf = ({ column }: { column: Column }) => bytesOf(column) / Math.max(1, rows);
    const rowBytes = values.reduce((sum, one) => sum + sizeOf(one), 0);
    for (let row = 0; row < rows; ) {
      const open = this.#open;
      const room = Math.max(1, Math.ceil((clusterBytes - open.bytes) / Math.max(rowBytes, 1e-9)));
      const count = Math.min(rows - row, room);
      const parts = values.flatMap(({ form, column }) =>
        columnParts({ form, column: sliceColumn(column, row, row + count) }),
      );
      for (const [i, part] of parts.entries()) await this.#add(this.#columns[i], part);
      row += count;
      open.entries += count;
      open.bytes += count * rowBytes;
      this.#entries += count;
      if (open.bytes >= clusterBytes) await this.#endCluster();
    }
  }

  async #add(column: NtupleColumn | undefined, part: ColumnPart): Promise<void> {
    if (!column) throw internal('Values have no column of the RNTuple.');
    for (const page of column.values.add(part)) await this.#writePage(column, page);
  }

  async #writePage({ type, pages }: NtupleColumn, { values, elements }: FullPage): Promise<void> {
    const { out } = this.#file;
    const page: Page = { elements, bytes: 0, at: 0 };
    pages.push(page);
    await this.#packed.add({
      record: values,
      page: { columnType: type, elements },
      append: async (stored) => {
        page.at = out.end;
        page.bytes = stored.length;
        await out.append(stored);
      },
    });
  }

  async #endCluster(): Promise<void> {
    const { entries } = this.#open;
    if (entries === 0) return;
    const pages: Page[][] = [];
    for (const column of this.#columns) {
      const last = column.values.finish();
      if (last) await this.#writePage(column, last);
      pages.push(column.pages);
      this.#pages += column.pages.length;
      this.#allPages += column.pages.length;
      column.pages = [];
    }
    this.#clusters.push({ first: this.#entries - entries, entries, pages });
    this.#open = { entries: 0, bytes: 0 };
    if (this.#metadata && this.#pages >= GROUP_PAGES) await this.#endGroup(this.#metadata);
  }

  /** Writes the page list of the clusters that are not in one yet, after their pages. */
  async #endGroup(metadata: NewNtupleMetadata): Promise<void> {
    await this.#packed.flush();
    const [first] = this.#clusters;
    if (!first) return;
    const entries = this.#clusters.reduce((sum, cluster) => sum + cluster.entries, 0);
    const pageList = await writeEnvelope(
      metadata.pageList(this.#compress, pageNumbers(this.#clusters)),
      this.#output,
    );
    this.#groups.push({ firstEntry: first.first, entries, clusters: this.#clusters.length, pageList });
    this.#clusters = [];
    this.#pages = 0;
  }
}

/** Returns clusters with their pages in the format of xw_new_ntuple_page_list. */
function pageNumbers(clusters: readonly Cluster[]): Float64Array {
  const numbers = [clusters.length];
  for (const { first, entries } of clusters) numbers.push(first, entries);
  for (const { pages } of clusters)
    for (const column of pages) {
      numbers.push(column.length);
      for (const { elements, bytes, at } of column) numbers.push(elements, bytes, at);
    }
  return Float64Array.from(numbers);
}

function refused(why: string, path?: string): XylemError {
  return new XylemError({
    code: 'ARGUMENT',
    message: `The RNTuple cannot be written: ${why}.`,
    ...(path !== undefined && { where: { path } }),
  });
}
