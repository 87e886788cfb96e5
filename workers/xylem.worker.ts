import { onRole } from './role';
import { startReading } from './session';

/**
 * Worker script that reads and decodes. `session` runs the engine, and starts decode workers from this same script.
 */
onRole((role) => {
  if (role.xylemRole !== 'insight') startReading(role);
});
