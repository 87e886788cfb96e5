import { command } from '../../../cli/command';
import { withFile } from '../../../cli/context';
import { commonOptions, flag, type Options } from '../../../cli/options';
import { lostText } from '../work/salvage/lost-text';
import { WRITTEN_JSON, writeOptions } from './options';
import { saveRoot } from './save-root';

const options = {
  force: writeOptions.force,
  reproducible: writeOptions.reproducible,
  verify: flag('read the new file back and compare it with what was copied; this is the default'),
  'no-verify': flag('trust the disk'),
  ...commonOptions,
} as const satisfies Options;

export const salvage = command({
  usage: ['IN OUT'],
  about: `Writes what can be read of a damaged or never closed ROOT file as a sound one, without ROOT. What is lost is named.
Exit status 1 says that something is lost. A file of the name OUT is kept unless --force is given.`,
  examples: [
    ['sample.root rescued.root', 'what can be read, as a sound file'],
    ['sample.root checked.root --verify', 'the same, read back and compared'],
  ],
  options,
  notes: `Entries of which a branch has lost a basket are left out of all branches, so that entries stay together; entry
numbers behind them become smaller. A branch of which all baskets are lost is left out.`,
  json: `${WRITTEN_JSON.slice(0, -1)}, "lost": [{"path", "why", "entries"?: [[from, to], …], "branches"?: […]}, …]}`,
  async run(given, [file = '', out = ''], context) {
    return await withFile(file, given, context, async (open) => {
      const how = { reproducible: given.reproducible, verify: given['no-verify'] ? false : undefined };
      const { lost } = await saveRoot(out, given, context, (sink, call) =>
        open.salvage(sink, { ...call, ...how }),
      );
      if (!given.json) for (const one of lost) context.err.line(`lost: ${lostText(one)}`);
      return lost.length > 0 ? 1 : 0;
    });
  },
});
