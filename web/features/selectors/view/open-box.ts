import { webEndpoint } from '../../../../workers/endpoint';
import { XylemError } from '../../../base/errors';
import type { SelectorPlace } from '../../../ui/embed/selector-place';
import { MEMBERS, type OpenBox, openMembers, START_MS } from '../threads/open-members';

export interface BoxRequest {
  /** The text of the selector, and the script of the workers that run it. */
  text: string;
  script: string;
  /** Time limit in ms for a part of the entries. If it is exceeded, all workers are ended. */
  limitMs: number;
  /** Ends the workers. */
  signal: AbortSignal;
  /** Receives lines of the console, and any other value that the workers send as a line. */
  onLine?: ((line: unknown) => void) | undefined;
}

/**
 * Starts a selector in workers of a frame without an origin, whose content policy forbids all connections: see
 * docs/features/selectors.md. Throws NETWORK if the frame cannot be loaded, the errors of the text, TIMEOUT and ABORTED.
 */
export async function openBox(
  place: SelectorPlace,
  { text, script, ...limits }: BoxRequest,
): Promise<OpenBox> {
  const { frame, ports } = await startFrame(place, script);
  return openMembers(ports.map(webEndpoint), {
    ...limits,
    load: async () => ({ selector: { text }, core: await place.core(), set: {} }),
    end: () => {
      frame.remove();
      for (const port of ports) port.close();
    },
  });
}

/** Loads the frame, and starts its workers, each with a port. */
function startFrame(
  place: SelectorPlace,
  script: string,
): Promise<{ frame: HTMLIFrameElement; ports: MessagePort[] }> {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.title = 'Where selectors run';
  frame.hidden = true;
  frame.src = `${place.folder}frame.html`;
  return new Promise((resolve, reject) => {
    const done = (): void => {
      clearTimeout(timer);
      removeEventListener('message', listen);
    };
    const timer = setTimeout(() => {
      done();
      frame.remove();
      reject(noFrame(place));
    }, START_MS);
    const listen = ({ source, data }: MessageEvent<unknown>): void => {
      if (source === null || source !== frame.contentWindow || data !== 'xylem-selector') return;
      done();
      const channels = Array.from({ length: MEMBERS }, () => new MessageChannel());
      // A document without an origin has no name, so the target is "*".
      frame.contentWindow?.postMessage(
        script,
        '*',
        channels.map(({ port2 }) => port2),
      );
      resolve({ frame, ports: channels.map(({ port1 }) => port1) });
    };
    addEventListener('message', listen);
    document.body.append(frame);
  });
}

function noFrame({ folder }: SelectorPlace): XylemError {
  return new XylemError({
    code: 'NETWORK',
    message: `The frame in which selectors run could not be loaded from ${folder}.`,
    fix: 'The folder "selector" of the package has to lie there, and a content security policy has to allow it in frame-src. Without a network selectors do not run.',
  });
}
