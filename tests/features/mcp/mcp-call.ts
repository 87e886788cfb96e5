import type { EngineReader } from '../../../web/api/reader';
import { OwnFiles } from '../../../web/cli/own-files';
import { TextOutput } from '../../../web/cli/terminal/output';
import { Call } from '../../../web/features/mcp/cli/tool';
import { openRoot } from '../../../web/node';

/** A call of a tool of `xylem mcp` in this process. */
export function makeCall(reader: EngineReader): Call {
  const context = {
    out: new TextOutput(process.stdout),
    err: new TextOutput(process.stderr),
    interactive: false,
    files: new OwnFiles(),
    reader: async () => reader,
    open: async (source: Parameters<typeof openRoot>[0]) => ({
      ...(await openRoot(source, { reader })),
      reader,
    }),
  };
  return new Call(context, { read: 1e9, answer: 1e6, writeTo: undefined }, undefined);
}
