/** The tag `<xylem-viewer>` in templates of Vue: `import 'xylem/element/vue'`. */
import type { EmitFn, HTMLAttributes, PublicProps } from 'vue';
import type { XylemViewer, XylemViewerEvents, XylemViewerProps } from './element-api';

export type * from './xylem-viewer';

type Emits = EmitFn<{ [Name in keyof XylemViewerEvents]: (event: XylemViewerEvents[Name]) => void }>;

declare module 'vue' {
  interface GlobalComponents {
    'xylem-viewer': new () => XylemViewer & {
      $props: XylemViewerProps & HTMLAttributes & PublicProps;
      $emit: Emits;
    };
  }
}
