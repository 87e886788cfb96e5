import { createReader } from './reader';
import { mountApp } from './ui/mount-app';
import { warmViews } from './ui/page-views';

const host = document.getElementById('app');
if (host) {
  // The workers start; the page is made in a task of its own, so that neither is a long one.
  const reader = createReader();
  setTimeout(() => mountApp(host, reader, { sampleUrl: 'sample.root' }));
  // The page itself starts without a network; what it reads is not the worker's business.
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    const idle = globalThis.requestIdleCallback ?? setTimeout;
    // Behind what the visit is about; the service worker keeps what comes.
    navigator.serviceWorker.ready.then(() => setTimeout(() => idle(warmViews), 3000));
    navigator.serviceWorker.register('shell-worker.js').catch(() => {
      // Refused in private windows and without https: the page then needs the network to start.
    });
  }
}
