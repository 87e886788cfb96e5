import { serveBox } from '../web/features/selectors/threads/serve-box';
import { scopeEndpoint } from './endpoint';
import { expose } from './rpc';

/** Worker script that runs a selector: see web/features/selectors/threads/process-in-page.ts. */
expose(scopeEndpoint(), serveBox());
