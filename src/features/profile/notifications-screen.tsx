import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import type {
  NotificationConsents,
  NotificationConsentsEdit,
} from '../../../contract/schemas/settings.ts'
import { CallError } from '../../sync/client.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { Empty } from '../../ui/display/empty.tsx'
import { SelectField } from '../../ui/form/field.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { SwitchField } from '../../ui/form/switch-field.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { AnswerAge } from '../../widgets/screen-states/answer-age.tsx'
import { NoData } from '../../widgets/screen-states/no-data.tsx'
import { failedMessages } from '../../widgets/screen-states/no-data-messages.ts'
import { isNotOffered } from '../../widgets/screen-states/not-offered.ts'
import { OwnChangeState, PendingOwnChange } from '../../widgets/editing/pending-own-change.tsx'
import {
  applyOwnOperations,
  useCacheAnswers,
  useOwnOperations,
} from '../../data/queue-own-change.ts'
import { useCapability } from '../../sync/react/use-sync.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import { editConsents, withConsents } from '../../data/profile.ts'
import { PushSection } from './push-section.tsx'
import { consentsQuery } from '../../data/profile.ts'
import { notificationMessages as messages } from './messages.ts'

/** `/settings/notifications` */
export function Component() {
  const email = useCurrentSession()?.user.email ?? ''
  const operations = useOwnOperations('updateNotificationConsents')
  return (
    <div className="max-w-2xl">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <PageHeading title={messages.title} />
        <OwnChangeState operations={operations} />
      </div>
      <p className="mt-1 text-sm text-pretty text-ink-muted">{messages.lead(email)}</p>
      <Consents operations={operations} />
    </div>
  )
}

function Consents({ operations }: { operations: readonly Operation[] }) {
  const options = consentsQuery()
  const query = useQuery(options)
  useCacheAnswers(options.queryKey, operations, withConsents)

  async function change(body: NotificationConsentsEdit) {
    try {
      await editConsents(body)
    } catch {
      toast(messages.failed)
    }
  }

  const rejected = (
    <PendingOwnChange operations={operations.filter(({ state }) => state === 'attention')}>
      {messages.changed}
    </PendingOwnChange>
  )
  // A copy is of a time when the server had them.
  if (query.error instanceof CallError && isNotOffered(query.error.status))
    return (
      <>
        {rejected}
        <Empty scene="fog" title={messages.absentTitle}>
          {failedMessages.notOffered}
        </Empty>
      </>
    )
  if (query.data)
    return (
      <>
        <AnswerAge query={query} />
        {rejected}
        <Choices
          consents={applyOwnOperations(query.data, operations, withConsents)}
          onChange={(body) => void change(body)}
        />
      </>
    )
  return (
    <NoData
      query={query}
      messages={{ ...messages, failed: messages.failedLead }}
      loading={<SkeletonRows label={messages.loading} />}
    />
  )
}

type Kind = keyof typeof messages.kinds

interface ChoicesProps {
  consents: NotificationConsents
  onChange: (body: NotificationConsentsEdit) => void
}

function Choices({ consents: { email, push, digest, due_lead_days }, onChange }: ChoicesProps) {
  const user_id = useCurrentSession()?.user.id ?? ''
  const kind = (name: Kind, options?: ReactNode) => (
    <SwitchField
      {...messages.kinds[name]}
      checked={email[name]}
      onChange={(wanted) => onChange({ email: { [name]: wanted } })}
    >
      {options}
    </SwitchField>
  )
  const hasPush = useCapability('push')
  return (
    <>
      <Group title={messages.groups.plans}>
        {kind('plan_update')}
        {kind('plan_assigned')}
        {kind('plan_stale')}
      </Group>
      <Group title={messages.groups.actions}>
        {kind('action_assigned')}
        {kind(
          'action_due',
          <div className="-mt-1 max-w-52 pb-4">
            <SelectField
              label={messages.lead_days}
              value={String(due_lead_days)}
              onChange={(event) => onChange({ due_lead_days: Number(event.target.value) })}
            >
              {[1, 2, 3, 4, 5, 6, 7].map((days) => (
                <option key={days} value={days}>
                  {messages.days(days)}
                </option>
              ))}
            </SelectField>
          </div>,
        )}
        {kind('action_overdue')}
      </Group>
      <Group title={messages.groups.more}>
        <div className="grid items-center gap-x-6 gap-y-2 border-b border-line py-4 sm:grid-cols-[1fr_13rem]">
          <div>
            <p aria-hidden className="text-sm font-semibold">
              {messages.digest}
            </p>
            <p className="text-sm text-pretty text-ink-muted">{messages.digestHint}</p>
          </div>
          <SelectField
            label={messages.digest}
            labelHidden
            value={digest}
            onChange={(event) => {
              const wanted = event.target.value
              if (isDigest(wanted)) onChange({ digest: wanted })
            }}
          >
            {Object.entries(messages.digests).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
        </div>
        {kind('product_news')}
      </Group>
      {hasPush && (
        <PushSection user_id={user_id} push={push} onChange={(push) => onChange({ push })} />
      )}
    </>
  )
}

const isDigest = (value: string): value is keyof typeof messages.digests =>
  Object.hasOwn(messages.digests, value)

function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-8">
      <h2 id={id} className="border-b border-line pb-2 text-lg">
        {title}
      </h2>
      {children}
    </section>
  )
}
