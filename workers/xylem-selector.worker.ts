import { scopeEndpoint } from './endpoint';
import { expose } from './rpc';
import { serveBox } from './selector/serve-box';

/** The worker script that runs a selector of a program: see workers/selector/process-in-page.ts. */
expose(scopeEndpoint(), serveBox());
