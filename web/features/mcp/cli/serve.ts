import { version } from '../../../../package.json';
import { argumentError, toXylemError, XylemError } from '../../../base/errors';
import { formatBytes } from '../../../base/format';
import { printableText, shortened } from '../../../base/text';
import { UsageError } from '../../../cli/arguments';
import { commands } from '../../../cli/commands/list';
import type { Context } from '../../../cli/context';
import { publicText } from '../../../io/public-text';
import { verbs } from '../../../verbs/list';
import { toolOfCommand } from './command-tool';
import { contents } from './contents';
import { draw } from './draw';
import { messageLines } from './message-lines';
import { type Answer, Call, checkAnswer, type InputSchema, type Limits, type Tool } from './tool';
import { values } from './values';
import { verbTool } from './verb-tool';

/** A schema, as the protocol's package makes it. */
interface StandardSchema {
  readonly '~standard': { validate(given: unknown): { issues: readonly { message: string }[] } | object };
}

const READING = [contents, values, draw];

/** Answers calls until the client closes standard input. Throws UNSUPPORTED without the package of the protocol. */
export async function serve(context: Context, limits: Limits): Promise<void> {
  const [{ McpServer, fromJsonSchema, parseJSONRPCMessage }, { serveStdio, StdioServerTransport }] =
    await loadProtocol();
  const all: Tool[] = [...READING, ...(await verbTools()), ...(await commandTools())];
  const tools = all.filter(({ writes }) => !writes || limits.writeTo !== undefined);
  const lines = messageLines(parseJSONRPCMessage, (refusal) => {
    tell(context, refusal.error.message);
    transport.send(refusal as never).catch(() => {});
  });
  const transport = new StdioServerTransport(process.stdin.pipe(lines));
  const ended = new Promise<void>((resolve) => {
    const close = transport.close.bind(transport);
    transport.close = () => close().finally(resolve);
  });
  const served = serveStdio(
    () => {
      const server = new McpServer(
        { name: 'xylem', version },
        { instructions: instructionsOf(limits, tools) },
      );
      for (const tool of tools) {
        const { name, title, description, input, writes = false } = tool;
        const about = {
          title,
          description,
          inputSchema: named(name, input, fromJsonSchema<Record<string, unknown>>(input as never)),
          annotations: { readOnlyHint: !writes, destructiveHint: false, openWorldHint: true },
        };
        server.registerTool(name, about, (given, { mcpReq }) =>
          answer(tool, given, new Call(context, limits, mcpReq.signal)),
        );
      }
      return server;
    },
    { transport, onerror: (error) => tell(context, error.message) },
  );
  await ended;
  await served.close();
}

/** Adds a check that names unknown arguments: the package of the protocol says only that there is one. */
function named<S extends StandardSchema>(tool: string, { properties }: InputSchema, schema: S): S {
  const own = schema['~standard'];
  const validate: typeof own.validate = (given) => {
    const unknown = Object.keys(Object(given)).filter((name) => !Object.hasOwn(properties, name));
    if (unknown.length === 0) return own.validate(given);
    const message = `${tool} has no ${unknown.join(', ')}; it has ${Object.keys(properties).join(', ')}`;
    return { issues: [{ message }] };
  };
  return { ...schema, '~standard': { ...own, validate } };
}

/** The tools of the verbs that have one. */
async function verbTools(): Promise<Tool[]> {
  const loaded = await Promise.all(Object.values(verbs).map(({ load }) => load()));
  return loaded.flatMap((verb) => verbTool(verb) ?? []);
}

/** The tools of the commands that have one. */
async function commandTools(): Promise<Tool[]> {
  const loaded = await Promise.all(
    Object.entries(commands).map(async ([name, { load }]) => toolOfCommand(name, await load())),
  );
  return loaded.filter((tool) => tool !== undefined);
}

function tell({ err }: Context, message: string): void {
  err.line(`xylem mcp: ${message}`);
  err.flush().catch(() => {});
}

const instructionsOf = ({ read, answer, writeTo }: Limits, tools: readonly Tool[]): string =>
  [
    'Reads CERN ROOT files where they are: paths, http(s):// and root:// addresses. Begin with contents.',
    'Expressions and cuts are those of TTree::Draw. Draw and summary read whole branches and send figures; values sends rows.',
    `A call may read at most ${formatBytes(read)} besides metadata, and answer at most ${formatBytes(answer)}; a call that`,
    'would need more is refused before it reads, with its cost.',
    ...tools.filter(({ name }) => name === 'what_if').map(({ name }) => `${name} says what a reading costs.`),
    ...(writeTo === undefined ? [] : [`New files may be made in ${writeTo}; none is replaced.`]),
  ].join(' ');

/** Returns the answer of a tool. A failure is an answer, too, so that the assistant can correct its call. */
async function answer(tool: Tool, given: Record<string, unknown>, call: Call) {
  try {
    const { text, picture } = await tool.run(given, call);
    checkAnswer(Buffer.byteLength(text), call.limits.answer);
    return { content: [{ type: 'text' as const, text }, ...contentOf(picture)] };
  } catch (thrown) {
    return { content: [{ type: 'text' as const, text: failureText(thrown) }], isError: true };
  }
}

function contentOf(picture: Answer['picture']) {
  if (picture === undefined) return [];
  const { mimeType, bytes } = picture;
  if (mimeType === 'image/png') return [{ type: 'image' as const, mimeType, data: bytes.toString('base64') }];
  const resource = { uri: 'xylem:plot.svg', mimeType, text: bytes.toString('utf8') };
  return [{ type: 'resource' as const, resource }];
}

/** Characters of a message: a longer one contains a long name or expression. */
const MAX_LENGTH = 1000;

function failureText(thrown: unknown): string {
  const failure = thrown instanceof UsageError ? argumentError(thrown.message) : toXylemError(thrown);
  const { message, code, fix } = failure;
  return printableText(
    publicText(`${shortened(message, MAX_LENGTH)}${fix === undefined ? '' : ` ${fix}`} [${code}]`),
  );
}

async function loadProtocol() {
  try {
    return await Promise.all([
      import('@modelcontextprotocol/server'),
      import('@modelcontextprotocol/server/stdio'),
    ]);
  } catch (cause) {
    throw new XylemError({
      code: 'UNSUPPORTED',
      message: 'The protocol is spoken by the package @modelcontextprotocol/server, which is not installed.',
      fix: 'npm install @modelcontextprotocol/server beside xylem.',
      cause,
    });
  }
}
