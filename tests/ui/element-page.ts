import { createSharedReader } from '../../web/element/shared-reader';
import { mountViewer } from '../../web/element/viewer-body';
import { defineXylemViewer } from '../../web/element/viewer-element';
import { createMockReader } from '../mock-reader';

const shared = createSharedReader(() => createMockReader({ stepTime: 5 }));
defineXylemViewer(async () => (host, root) => mountViewer(host, root, shared, undefined));
