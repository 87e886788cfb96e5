import { scopeEndpoint } from './endpoint';
import { expose } from './rpc';
import { serveBox } from './selector/serve-box';

/** Worker script that runs a selector: see workers/selector/process-in-page.ts. */
expose(scopeEndpoint(), serveBox());
