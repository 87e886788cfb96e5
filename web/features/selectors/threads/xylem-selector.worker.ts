import { scopeEndpoint } from '../../../../workers/endpoint';
import { expose } from '../../../../workers/rpc';
import { serveBox } from './serve-box';

/** Worker script that runs a selector: see process-in-page.ts. */
expose(scopeEndpoint(), serveBox());
