import { createReader } from './index';
import { mountApp } from './ui/mount-app';

const host = document.getElementById('app');
if (host) mountApp(host, createReader(), { sampleUrl: 'sample.root' });
