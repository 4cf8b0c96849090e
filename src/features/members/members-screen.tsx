import { useQuery } from '@tanstack/react-query'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import type { OrganisationUser, User } from '../../../contract/schemas/people.ts'
import { canManage } from '../../../contract/roles.ts'
import { PageHeading } from '../../ui/page-heading.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { membersQuery } from '../../data/organisations/queries.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import { DataAge } from '../../widgets/screen-states/data-age.tsx'
import { NoData } from '../../widgets/screen-states/no-data.tsx'
import { InviteForm } from './invite-form.tsx'
import { Invites } from './invites.tsx'
import { Leaving } from './leaving.tsx'
import { MemberRow } from './member-row.tsx'
import { inviteMessages, memberMessages as messages } from './messages.ts'
import { compareText } from '../../ui/text/format.ts'

/** `/settings/organisation/members` */
export function Component() {
  const current = useCurrentSession()
  const query = useQuery(membersQuery())
  if (!current?.organisation) return null
  const { user, organisation } = current
  const manages = canManage(user, organisation)
  const members = query.data
  return (
    <div className="max-w-2xl">
      <PageHeading title={messages.title} />
      <p className="mt-1 text-sm text-ink-muted">
        {members && messages.lead(members.length, organisation.name)}
      </p>
      <DataAge shows={{ collection: 'organisation_users' }} />
      {members ? (
        <MemberList members={members} user={user} organisation={organisation} />
      ) : (
        <NoData
          query={query}
          collection="organisation_users"
          messages={messages}
          loading={<SkeletonRows label={messages.loading} rows={3} />}
        />
      )}
      {/* Also where the members cannot be read, as a server may allow members to leave, and not to read the list. */}
      {!query.isLoading && (
        <>
          {manages ? (
            <>
              <section className="mt-10">
                <h2 className="mb-4 text-lg">{inviteMessages.title}</h2>
                <InviteForm
                  organisation={organisation}
                  members={members?.length ?? organisation.members_count ?? 1}
                />
              </section>
              {members && <Invites />}
            </>
          ) : (
            <p className="mt-4 text-sm text-ink-faint">{messages.adminsOnly}</p>
          )}
          <Leaving user={user} organisation={organisation} />
        </>
      )}
    </div>
  )
}

interface MemberListProps {
  members: readonly OrganisationUser[]
  user: User
  organisation: Organisation
}

function MemberList({ members, user, organisation }: MemberListProps) {
  const weight = ({ user_id, pivot }: OrganisationUser) =>
    user_id === organisation.user_id ? 0 : pivot.role === 'admin' ? 1 : 2
  const ordered = members.toSorted((a, b) => weight(a) - weight(b) || compareText(a.name, b.name))
  return (
    <ul aria-label={messages.listLabel} className="mt-5 border-t border-line">
      {ordered.map((member) => (
        <li key={member.id} className="border-b border-line">
          <MemberRow member={member} user={user} organisation={organisation} />
        </li>
      ))}
    </ul>
  )
}
