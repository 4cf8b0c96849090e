import { areNamesRead, readNames } from './read-names.ts'
import type { NameOf } from '../../data/record-id.ts'
import { sync } from '../../sync/client.ts'
import { dismissToasts, toast } from '../../ui/overlay/toast.tsx'
import { saveTextFile } from '../../ui/platform/save-text-file.ts'
import { exportMessages as messages } from './messages.ts'

/**
 * Saves a list as a CSV file and says so, with the words `exported`. Waits for the names that are still being
 * read, because an import takes an empty cell for "none". Works offline.
 */
export async function saveList(
  fileName: string,
  csvOf: (nameOf: NameOf) => string | Promise<string>,
  exported: string,
): Promise<void> {
  if (!areNamesRead()) toast(messages.waiting)
  try {
    saveTextFile(fileName, await csvOf(await readNames()), 'text/csv')
  } finally {
    dismissToasts(messages.waiting)
  }
  const isWhole = sync().lastSyncedAt.get() !== null
  toast(isWhole ? exported : messages.incomplete(exported))
}
