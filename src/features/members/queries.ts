import { queryOptions } from '@tanstack/react-query'
import { endpoints } from '../../../contract/endpoints.ts'
import { sync } from '../../sync/client.ts'

/**
 * Open invitations to the active organisation, the latest first. Needs a network; not stored on the
 * device.
 */
export function invitesQuery() {
  const session = sync().session.current()
  return queryOptions({
    queryKey: [session?.user.id ?? '', session?.active_organisation?.id ?? '', 'invites'],
    gcTime: 0,
    queryFn: async () => {
      const query = { per_page: 500, sort: '-created_at' } as const
      const { data } = await sync().call(endpoints.listOrganisationInvites, { query })
      return data.filter(({ status }) => status !== 'accepted')
    },
  })
}
