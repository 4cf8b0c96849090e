import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { isOwner } from '../../../contract/roles.ts'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import type { User } from '../../../contract/schemas/people.ts'
import { sync } from '../../sync/client.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { useAllOperations, useConnection } from '../../sync/react/use-sync.ts'
import { QueryProvider } from '../../sync/react/query-provider.tsx'
import { Avatar } from '../../ui/display/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { AnswerAge } from '../../widgets/screen-states/answer-age.tsx'
import { NoData } from '../../widgets/screen-states/no-data.tsx'
import { useCurrentSession } from '../../data/current-session.ts'
import { returnPath } from '../session/return-path.ts'
import { organisationsQuery } from '../../data/organisations/queries.ts'
import { organisationMessages as messages } from './messages.ts'

const NewOrganisation = lazy(async () => ({
  default: (await import('./new-organisation.tsx')).NewOrganisation,
}))

/** `/organisations` */
export function Component() {
  const current = useCurrentSession()
  const offline = useConnection() === 'offline'
  const [creating, setCreating] = useState(false)
  const navigate = useNavigate()
  const [params] = useSearchParams()
  if (!current) return null

  async function open(organisation: Organisation) {
    await sync().chooseOrganisation(organisation)
    await leave()
  }

  async function leave() {
    await navigate(returnPath(params.get('redirect')), { replace: true })
  }

  return (
    <QueryProvider>
      <PageHeading title={messages.title} />
      <p className="mt-1 text-sm text-ink-muted">{messages.lead(current.user.name)}</p>
      <Organisations user={current.user} active={current.organisation} onOpen={open} />
      <div className="mt-6 flex flex-wrap gap-2">
        <Button
          unavailable={offline ? messages.createOffline : undefined}
          onClick={() => setCreating(true)}
        >
          <Plus aria-hidden />
          {messages.create}
        </Button>
      </div>
      {creating && (
        <Suspense>
          <NewOrganisation onClose={() => setCreating(false)} onCreated={leave} />
        </Suspense>
      )}
    </QueryProvider>
  )
}

interface OrganisationsProps {
  user: User
  active: Organisation | null
  onOpen: (organisation: Organisation) => Promise<void>
}

function Organisations({ user, active, onOpen }: OrganisationsProps) {
  const query = useQuery(organisationsQuery())
  const operations = useAllOperations()
  // The list may never have been fetched; the open organisation is known anyway.
  const organisations = query.data?.data ?? (active ? [active] : undefined)

  if (organisations?.length === 0)
    return <Empty title={messages.emptyTitle}>{messages.empty}</Empty>
  if (organisations)
    return (
      <>
        <AnswerAge query={query} />
        <ul aria-label={messages.listLabel} className="mt-6 border-t border-line">
          {organisations.map((organisation) => (
            <li key={organisation.id}>
              <button
                type="button"
                onClick={() => void onOpen(organisation)}
                className="group flex min-h-18 w-full items-center gap-4 border-b border-line px-2 py-3 text-start -outline-offset-2 hover:bg-raised cramped:flex-wrap"
              >
                <Avatar name={organisation.name} size="large" />
                <span className="min-w-0 grow">
                  <span className="block truncate font-semibold group-hover:text-accent">
                    {organisation.name}
                  </span>
                  <span className="block text-sm text-ink-muted">
                    {[
                      roleOf(user, organisation),
                      organisation.members_count !== null &&
                        messages.members(organisation.members_count),
                      organisation.id === active?.id && messages.current,
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                  <PendingCount organisation_id={organisation.id} operations={operations} />
                </span>
                <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-faint" />
              </button>
            </li>
          ))}
        </ul>
      </>
    )
  return (
    <NoData
      query={query}
      messages={messages}
      loading={<SkeletonRows label={messages.loading} rows={2} />}
    />
  )
}

const roleOf = (user: User, organisation: Organisation) =>
  isOwner(user, organisation)
    ? messages.roles.owner
    : organisation.pivot.role === 'admin'
      ? messages.roles.admin
      : messages.roles.member

function PendingCount(props: { organisation_id: string; operations: readonly Operation[] }) {
  const open = props.operations.filter(
    ({ organisation_id, state }) =>
      organisation_id === props.organisation_id && state !== 'acknowledged',
  )
  const rejected = open.filter(({ state }) => state === 'attention').length
  if (open.length === 0) return null
  return (
    <span
      className={`mt-1 inline-block rounded-sm px-1.5 py-px text-xs font-semibold ${rejected > 0 ? 'bg-glow-soft text-glow-ink' : 'bg-offline text-offline-ink'}`}
    >
      {rejected > 0 ? messages.attention(rejected) : messages.waiting(open.length)}
    </span>
  )
}
