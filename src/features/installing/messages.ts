/** What is said of installing the app. */
export const installMessages = {
  title: 'Install Cairn',
  lead: 'Installed, Cairn opens like any other app, also where there is no network.',
  install: 'Install',
  installed: 'Cairn is installed on this device.',
  ios: ['Tap Share in the bar of the browser', 'Choose Add to Home Screen', 'Tap Add'],
  'mac-safari': ['Open File in the menu bar', 'Choose Add to Dock', 'Click Add'],
  'by-hand': [
    'Open the menu of the browser',
    'Choose Install, or Add to Home screen',
    'Not offered? In Chrome, Edge and Safari it is',
  ],
  cardTitle: 'Take Cairn with you',
  card: 'It works without a network already. Installed, it is one tap away.',
  how: 'How to install',
  dismiss: 'Not now',
} as const
