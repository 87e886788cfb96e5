/** The tag `<xylem-viewer>` in JSX of React: `import 'xylem/element/react'`. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { XylemViewer, XylemViewerEvents, XylemViewerProps } from './element-api';

export type * from './xylem-viewer';

type Listeners = {
  [Name in keyof XylemViewerEvents as `on${Name}`]?: (event: XylemViewerEvents[Name]) => void;
};

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'xylem-viewer': DetailedHTMLProps<HTMLAttributes<XylemViewer>, XylemViewer> &
        XylemViewerProps &
        Listeners;
    }
  }
}
