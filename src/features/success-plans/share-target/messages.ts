/** What is said to somebody who shared something with the app. */
export const sharedMessages = {
  title: 'Add to a plan',
  lead: 'Choose the plan. What you shared becomes a draft of an update, which you can still change before you post it.',
  shared: 'Shared',
  search: 'Search plans',
  plans: 'Plans',
  count: (many: number) => (many === 1 ? '1 plan' : `${many} plans`),
  none: 'No plan on this device matches.',
  loading: 'Loading the plans',
  failed: 'This device’s storage refused the draft. Copy the text, or it is lost.',
  copy: 'Copy the text',
  copied: 'Copied',
  copyFailed: 'Copying was refused by the browser.',
} as const
