import { flag, optional, TEXT } from '../../base/shape';
import { FILE } from '../../verbs/params';
import { verb } from '../../verbs/verb';
import { describeRecord } from './work/described';
import { placeOf, recordAround } from './work/find-record';
import { recordReport } from './work/record-report';

export const record = verb({
  name: 'record',
  words: 'FILE [PLACE]',
  about: `Shows the header of a file, or the key of a record, field by field: position, length, type, value and stored bytes,
under the names of ROOT. What a field says is compared with what is there; a field that cannot be right is marked.
PLACE is a position in bytes (4711, 0x1267) or the path of an object (dir/hist;1); default: the header of the file.
Of baskets, directories, lists of keys, the list of free space and the anchors of RNTuples, the fields behind
the key are shown, too. It reads the beginning of the record, and of those that it names.`,
  examples: [
    ['sample.root', 'the header of a file'],
    ['sample.root plots/dimuonMass', 'the key of an object'],
  ],
  params: {
    file: FILE,
    place: optional(
      TEXT,
      'PLACE',
      'Position in bytes, or the path of an object; default: the header of the file.',
    ),
    here: flag('takes a record to begin at exactly this position, even if nothing in the file says so'),
    explain: flag('says below the fields what each is for'),
  },
  json: `{"file", "offset", "size", "title", "wrong", "fields": [{"group", "item", "name", "type", "offset", "length",
"value", "hex", "about", "means", "wrong", "target"}, …], "notes"}. item: number of a part that is repeated, as a
listed key; -1 for the others. value: a text for numbers above 2^53; it is missing if the file ends before the field
does. hex: the stored bytes, at most 64. wrong: why the value cannot be right. target: the record that it names.`,
  exit: '1 where a field cannot be right.',
  run: ({ file, place = '0', here }, call) =>
    call.withFile(file, async ({ reader, info, isChain }) => {
      if (isChain) throw call.misused('Name one file: a list of files has no header.');
      const options = { signal: call.signal };
      const at = await placeOf(reader, info.id, place, options);
      const offset = here ? at : await recordAround(reader, info.id, at, options);
      return { file: info.name, ...(await describeRecord(reader, info.id, offset, options)) };
    }),
  report: ({ file, ...found }, { explain = false }) => recordReport(found, file, explain),
  status: ({ wrong }) => (wrong > 0 ? 1 : 0),
  toJson: ({ bytes: _, ...found }) => JSON.stringify(found),
  tool: {
    title: 'Fields of a record',
    description:
      'The header of a file, or the key of a record (by position or path), field by field as stored: fNbytes, fObjlen, fSeekKey and the others, with the bytes, and which of them cannot be right. Reads a few hundred bytes.',
    without: ['explain'],
  },
});
