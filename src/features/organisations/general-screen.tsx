import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { canManage, isOwner } from '../../../contract/roles.ts'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import { useConnection } from '../../sync/react/use-sync.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import { useFormKey } from '../../ui/form/use-form-key.ts'
import { PageHeading } from '../../ui/page-heading.tsx'
import { DataAge } from '../../widgets/screen-states/data-age.tsx'
import { LoadingPage } from '../../widgets/screen-states/loading-page.tsx'
import { useCurrentSession } from '../../data/current-session.ts'
import { GeneralForm } from './general-form.tsx'
import { generalMessages as messages } from './general-messages.ts'
import { refreshOrganisation } from '../../data/organisations/refresh.ts'
import { membersByUserQuery } from '../../data/organisations/queries.ts'

const DeleteOrganisation = lazy(async () => ({
  default: (await import('./delete-organisation.tsx')).DeleteOrganisation,
}))

const ArchiveSection = lazy(async () => ({
  default: (await import('../archive/archive-section.tsx')).ArchiveSection,
}))
const ImportArchive = lazy(async () => ({
  default: (await import('../archive/import-archive.tsx')).ImportArchive,
}))

/** `/settings/organisation/general`; the import of an archive with `?import`. */
export function Component() {
  const current = useCurrentSession()
  const owner = useQuery(membersByUserQuery()).data?.get(current?.organisation?.user_id ?? '')
  const form = useFormKey(current?.organisation?.updated_at ?? null)
  const [params] = useSearchParams()
  // It is no part of what is pulled.
  useEffect(() => void refreshOrganisation(), [])
  if (!current?.organisation) return null
  if (params.has('import'))
    return (
      <Suspense fallback={<LoadingPage title={messages.importTitle} />}>
        <ImportArchive />
      </Suspense>
    )
  const { user, organisation } = current
  const owns = isOwner(user, organisation)
  return (
    <div className="max-w-2xl">
      <PageHeading title={messages.title} />
      <p className="mt-1 text-sm text-ink-muted">{messages.lead(organisation.name)}</p>
      <div className="mb-7">
        <DataAge read={refreshOrganisation} />
      </div>
      {canManage(user, organisation) ? (
        <div {...form.around}>
          <GeneralForm key={form.key} organisation={organisation} onSaved={form.renew} />
        </div>
      ) : (
        <Facts organisation={organisation} />
      )}
      {!owns && (
        <p className="mt-8 border-t border-line pt-5 text-sm text-ink-muted">
          {owner ? messages.billing(owner.name) : messages.billingOwnerOnly}
        </p>
      )}
      <Suspense>
        <ArchiveSection organisation={organisation} />
      </Suspense>
      {owns && <Deletion organisation={organisation} />}
    </div>
  )
}

/** Read-only view for members who may not change it. */
function Facts({ organisation }: { organisation: Organisation }) {
  const { name, website, timezone, currency } = organisation
  const values = { name, website, timezone: timezone.replaceAll('_', ' ') || null, currency }
  return (
    <>
      <Notice>{messages.adminsOnly}</Notice>
      <dl className="mt-4">
        {Object.entries(values).map(([field, value]) => (
          <div
            key={field}
            className="grid gap-x-6 border-b border-line py-3 text-sm sm:grid-cols-[10rem_1fr]"
          >
            <dt className="text-ink-muted">{messages.fields[field as keyof typeof values]}</dt>
            <dd className="font-semibold break-words">{value ?? messages.none}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Deletion({ organisation }: { organisation: Organisation }) {
  const offline = useConnection() === 'offline'
  const [asking, setAsking] = useState(false)
  return (
    <section className="mt-12 border-t border-line pt-6">
      <h2 className="text-lg">{messages.delete}</h2>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="min-w-0 flex-1 basis-64 text-sm text-pretty text-ink-muted">
          {messages.deleteText}
        </p>
        <Button
          unavailable={offline ? messages.deleteOffline : undefined}
          onClick={() => setAsking(true)}
        >
          {messages.deleteAction}
        </Button>
      </div>
      {asking && (
        <Suspense>
          <DeleteOrganisation organisation={organisation} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </section>
  )
}
