import { startInsight } from './insight';
import { onRole } from './role';

/** The worker script of an element that computes with metadata. */
onRole((role) => {
  if (role.xylemRole === 'insight') startInsight(role.session);
});
