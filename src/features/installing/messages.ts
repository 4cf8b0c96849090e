import type { Messages } from '../../../contract/text/catalogue.ts'

/** Texts about installing the app. */
export const installMessages = {
  title: 'Install Cairn',
  lead: 'Installed, Cairn opens like any other app, online or offline.',
  install: 'Install',
  installed: 'Cairn is installed on this device.',
  ios: ['Tap Share in the browser’s toolbar', 'Choose Add to Home Screen', 'Tap Add'],
  'mac-safari': ['Open File in the menu bar', 'Choose Add to Dock', 'Click Add'],
  'by-hand': [
    'Open the browser’s menu',
    'Choose Install or Add to Home Screen',
    'Not there? Use Chrome, Edge or Safari',
  ],
  cardTitle: 'Install Cairn',
  card: 'It already works offline. Installed, it opens with one tap.',
  how: 'How to install',
  dismiss: 'Not now',
} as const satisfies Messages
