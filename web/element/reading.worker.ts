import { allowRest } from '../../workers/rest-of-script';
import '../../workers/xylem.worker';

// The worker of the element, which begins with a part of its script.
allowRest();
