import type { InferInput } from 'valibot'
import { endpoints } from '../../../contract/endpoints.ts'
import type { Organisation, OrganisationDraft } from '../../../contract/schemas/organisations.ts'
import { CallError, sync } from '../../sync/client.ts'
import { queryClient } from '../../sync/react/query-client.ts'
import { organisationsQuery } from './queries.ts'

/** Creates an organisation; from its name alone at a server that has only the specification. Throws a CallError. */
export async function createOrganisation(
  draft: InferInput<typeof OrganisationDraft>,
): Promise<Organisation> {
  const list = organisationsQuery()
  const known = queryClient.getQueryData(list.queryKey)?.data
  const isOurs = sync().capabilities.get()?.split(',').includes('ids') !== false
  const body = isOurs ? draft : { name: draft.name }
  try {
    return await sync().call(endpoints.createOrganisation, { body })
  } catch (problem) {
    if (!(problem instanceof CallError && problem.isTaken && known)) throw problem
    // It was created: the list has the record that the answer lacks.
    const now = await queryClient.fetchQuery({ ...list, staleTime: 0 }).catch(() => undefined)
    const [made, another] = (now?.data ?? []).filter(
      ({ id, name }) => name === draft.name && !known.some((one) => one.id === id),
    )
    if (!made || another) throw problem
    return made
  } finally {
    void queryClient.invalidateQueries(list)
  }
}
