import { mountApp } from '../../web/ui/mount-app';
import { saveSink } from '../../web/ui/save/save-sink';
import { createMockReader } from '../mock-reader';

/** The page upon the mock reader, for working on the UI; `?step=200` makes reads slow (ms a step). */
const step = Number(new URLSearchParams(location.search).get('step') ?? 30);
const host = document.getElementById('app');
const page = { location, base: document.baseURI, sink: saveSink, storage: localStorage };
if (host !== null) mountApp(host, createMockReader({ stepTime: step }), page, { sampleUrl: 'sample.root' });
