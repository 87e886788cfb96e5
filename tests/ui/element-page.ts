import { defineXylemViewer } from '../../web/element/viewer-element';
import { createMockReader } from '../mock-reader';

defineXylemViewer(() => createMockReader({ stepTime: 5 }));
