import type { Messages } from '../../../../contract/text/catalogue.ts'
import { formatCount } from '../../../ui/text/format.ts'

/** Texts of the screen for content shared with the app. */
export const sharedMessages = {
  title: 'Add to a plan',
  lead: 'Choose a plan. What you shared becomes a draft update, which you can edit before you post it.',
  shared: 'Shared',
  search: 'Search plans',
  plans: 'Plans',
  count: (plans: number) => formatCount(plans, 'plan'),
  none: 'No matching plan on this device.',
  loading: 'Loading the plans',
  failed: 'The draft could not be saved on this device. Copy the text so that it is not lost.',
  copy: 'Copy the text',
  copied: 'Copied',
  copyFailed: 'The browser blocked copying.',
} as const satisfies Messages
