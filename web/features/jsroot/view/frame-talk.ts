import { asFrameMessage, type FrameMessage, type PageMessage, type PortMessage } from './messages';

export interface FrameTalk {
  /** Sends a message once the frame is ready. */
  send(message: PageMessage): void;
  /** Called each time the frame has loaded a document. */
  loaded(): void;
  close(): void;
}

export interface FrameEvents {
  /** Time in ms after loading within which the frame has to identify itself. */
  patienceMs: number;
  /** Called when messages can be sent. */
  ready(): void;
  told(message: FrameMessage): void;
  /** Called if the loaded document does not identify itself. */
  missing(): void;
  /** Called if the frame shows another document than the first. */
  left(): void;
}

/**
 * Exchanges messages only with the first document that a frame loads. When it says that it is ready, it gets one end
 * of a channel, which ends with the document.
 */
export function talkWithFrame(frame: HTMLIFrameElement, events: FrameEvents): FrameTalk {
  let port: MessagePort | undefined;
  let loads = 0;
  let patience: ReturnType<typeof setTimeout> | undefined;

  const listen = ({ source, data }: MessageEvent<unknown>): void => {
    if (port || source === null || source !== frame.contentWindow) return;
    if (asFrameMessage(data)?.xylem !== 'ready') return;
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = (event: MessageEvent<unknown>) => {
      const message = asFrameMessage(event.data);
      if (message) events.told(message);
    };
    frame.contentWindow?.postMessage({ xylem: 'port' } satisfies PortMessage, '*', [channel.port2]);
    events.ready();
  };
  addEventListener('message', listen);

  return {
    send: (message) => port?.postMessage(message),
    loaded() {
      if (++loads > 1) events.left();
      // An error page of a server or browser also fires the load event, but does not identify itself.
      else patience = setTimeout(() => port ?? events.missing(), events.patienceMs);
    },
    close() {
      clearTimeout(patience);
      removeEventListener('message', listen);
      port?.close();
    },
  };
}
