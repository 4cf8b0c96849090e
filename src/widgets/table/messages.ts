import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'

/** Texts of the controls above tables. */
export const tableMessages = {
  display: 'Display',
  notStored: 'This could not be saved on this device. Try again, or free some space first.',
  density: 'Row height',
  densities: { compact: 'Compact', comfortable: 'Comfortable' },
  group: 'Group by',
  columns: 'Columns',
  columnsHint: 'A narrow window shows fewer of them.',
  paneHint: 'Press Space on a row to see it beside the list.',
  views: 'Saved views',
  viewsShort: 'Views',
  noViews: 'A saved view keeps filters, order and layout.',
  noViewsHere: 'A saved view keeps filters, order and layout on this device.',
  name: 'Name of the view',
  save: 'Save view',
  nothingToSave: 'Filter, sort or group the list first.',
  tooManyViews: (most: number) => `You have ${most} saved views. Delete one first.`,
  tooMuchToSave: 'This is too much for one view. Choose fewer filters.',
  rename: (name: string) => sentence`Rename “${name}”`,
  saveName: 'Save name',
  remove: (name: string) => sentence`Delete “${name}”`,
  removed: (name: string) => sentence`View “${name}” deleted`,
  undo: 'Undo',
  undoTooLate: 'Another organisation is open, so it can no longer be undone.',
} as const satisfies Messages
