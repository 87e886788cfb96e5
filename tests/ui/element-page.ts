import { mountViewer } from '../../web/element/viewer-body';
import { defineXylemViewer } from '../../web/element/viewer-element';
import { createSharedReaders } from '../../web/library/shared-readers';
import { saveSink } from '../../web/ui/save/save-sink';
import { createMockReader } from '../mock-reader';

const lease = createSharedReaders(() => ({ ...createMockReader({ stepTime: 5 }), terminate: () => {} }));
const parts = { lease: () => lease({}), sink: saveSink, beside: undefined, selectors: undefined };
defineXylemViewer(async () => (host, root) => mountViewer(host, root, parts));
