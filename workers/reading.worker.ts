import { onRole } from './role';
import { startReading } from './session';

/** The worker script of an element that reads and decodes: without insight, which few elements show. */
onRole(startReading);
