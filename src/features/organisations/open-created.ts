import type { InferOutput } from 'valibot'
import type { Organisation, OrganisationEdit } from '../../../contract/schemas/organisations.ts'
import { editOrganisation } from '../../data/organisations/mutations.ts'
import { sync } from '../../sync/client.ts'
import { toast } from '../../ui/overlay/toast.tsx'
import { errorMessage } from '../../widgets/editing/error-message.ts'

/**
 * Opens an organisation that a form has created. An earlier attempt of the form may have, whose answer was lost: it
 * gets what was `typed` since, unless it has been changed.
 */
export async function openCreated(
  created: Organisation,
  typed: InferOutput<typeof OrganisationEdit>,
): Promise<void> {
  await sync().chooseOrganisation(created)
  if (created.updated_at !== created.created_at) return
  const left = Object.entries(typed).filter(
    ([name, value]) => value !== created[name as keyof typeof typed],
  )
  await editOrganisation(created, Object.fromEntries(left)).catch((problem: unknown) =>
    toast(errorMessage(problem)),
  )
}
