import { useQuery } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import { organisationsQuery } from '../../data/organisations/queries.ts'
import { useRecordNames } from '../../data/operations/use-record-names.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import { sync } from '../../sync/client.ts'
import {
  useAllOperations,
  useCapability,
  useConnection,
  useDownload,
} from '../../sync/react/use-sync.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Bone, Skeleton } from '../../ui/display/skeleton.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { ClearOfflineData } from './clear-offline-data.tsx'
import { deviceMessages as messages } from './messages.ts'
import { saveTextFile } from '../../ui/platform/save-text-file.ts'
import { readOfflineData, type OfflineData } from './offline-data.ts'
import { telemetryMessages } from '../telemetry/messages.ts'
import { unsentExport } from './unsent-export.ts'
import { SwitchField } from '../../ui/form/switch-field.tsx'
import { config } from '../boot/runtime-config.ts'
import { analyticsProjectOf } from '../telemetry/analytics.ts'
import { chooseConsent, useConsent } from '../telemetry/consent.ts'

/** What is stored on this device, whether it is persistent, and how to export or clear it. */
export function DeviceSheet({ onClose }: { onClose: () => void }) {
  const current = useCurrentSession()
  const isCounting = useHasStatistics()
  const activeOrganisation = current?.organisation
  const organisationList = useQuery(organisationsQuery()).data?.data
  // The organisation list may never have been fetched; the open organisation is known anyway.
  const organisations = organisationList ?? (activeOrganisation ? [activeOrganisation] : [])
  const user_id = current?.user.id ?? ''
  const stored = useQuery({
    queryKey: [user_id, '', 'stored-here', organisations.map(({ id }) => id)],
    queryFn: () => readOfflineData(user_id, organisations),
    gcTime: 0,
  })

  return (
    <Dialog open onClose={onClose} width="wide" title={messages.title} description={messages.lead}>
      {stored.data ? (
        <>
          <StoredSection stored={stored.data} />
          <DownloadSection />
          <SpaceSection stored={stored.data} onChanged={() => void stored.refetch()} />
        </>
      ) : (
        <Skeleton label={messages.reading}>
          <Bone className="mt-4 h-5 w-1/3" />
          <Bone className="mt-3 h-4 w-2/3" />
          <Bone className="mt-8 h-5 w-1/4" />
          <Bone className="mt-3 h-4 w-1/2" />
        </Skeleton>
      )}
      <UnsentSection />
      {isCounting && (
        <Section title={telemetryMessages.privacy}>
          <PrivacySetting />
        </Section>
      )}
      <Section title={messages.clear}>
        <ClearOfflineData
          offline={useConnection() === 'offline'}
          usage={stored.data?.usage}
          others={
            (stored.data?.organisations ?? []).filter(({ id }) => id !== activeOrganisation?.id)
              .length
          }
          onCleared={() => void stored.refetch()}
        />
      </Section>
    </Dialog>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="border-t border-line py-4 text-sm">
      <h3 id={id} className="mb-1 text-sm font-semibold">
        {title}
      </h3>
      {children}
    </section>
  )
}

function StoredSection({ stored: { organisations } }: { stored: OfflineData }) {
  return (
    <Section title={messages.stored}>
      {organisations.length === 0 && <p className="text-ink-muted">{messages.nothing}</p>}
      <ul className="flex flex-col gap-2">
        {organisations.map((one) => (
          <li key={one.id} className="flex flex-wrap justify-between gap-x-6">
            <span className="min-w-0">
              <span className="block">{one.name}</span>
              <span className="block text-ink-muted tabular-nums">{messages.records(one)}</span>
            </span>
            <span className="text-ink-faint tabular-nums">
              {one.completed_at === null ? messages.partial : messages.complete(one.completed_at)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/**
 * The first download while it runs, or while it is deferred by data saver; nothing once it is complete.
 */
function DownloadSection() {
  const { phase, share, evicted } = useDownload()
  const offline = useConnection() === 'offline'
  if (phase === 'idle') return null
  return (
    <Section title={messages.download}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <output className="min-w-0 flex-1 basis-60 text-pretty text-ink-muted tabular-nums">
          {phase === 'deferred'
            ? messages.dataSaver
            : evicted && offline
              ? messages.evicted
              : messages.downloading(share)}
        </output>
        {phase === 'deferred' && (
          <Button
            unavailable={offline ? messages.downloadOffline : undefined}
            onClick={() =>
              void sync()
                .engine()
                .then(({ pullScheduler: reading }) => reading.pullEverything())
            }
          >
            {messages.downloadAll}
          </Button>
        )}
      </div>
    </Section>
  )
}

/** Storage used, and whether the browser may evict it. */
function SpaceSection({ stored, onChanged }: { stored: OfflineData; onChanged: () => void }) {
  const { usage, quota, persisted } = stored
  const [declined, setDeclined] = useState(false)

  async function ask() {
    const granted = (await navigator.storage?.persist?.().catch(() => false)) ?? false
    setDeclined(!granted)
    if (granted) toast(messages.granted)
    onChanged()
  }

  return (
    <>
      <Section title={messages.space}>
        <p className="text-ink-muted tabular-nums">
          {usage === undefined ? messages.unknownSpace : messages.used(usage, quota)}
        </p>
      </Section>
      <Section title={messages.persistence}>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <output className="min-w-0 flex-1 basis-60 text-ink-muted">
            {persisted ? messages.persisted : declined ? messages.declined : messages.notPersisted}
          </output>
          {!persisted && <Button onClick={() => void ask()}>{messages.askToPersist}</Button>}
        </div>
      </Section>
    </>
  )
}

/** Pending operations, and a way to export them as text. */
function UnsentSection() {
  const current = useCurrentSession()
  const organisations = useQuery(organisationsQuery()).data?.data
  const nameOf = useRecordNames()
  const pending = useAllOperations().filter(({ state }) => state !== 'acknowledged')

  function save() {
    const known = [organisations ?? [], current?.organisation ?? []].flat()
    const { name, text } = unsentExport(pending, {
      author: current?.user.name ?? '',
      nameOf,
      organisationOf: (id) => known.find((one) => one.id === id)?.name,
    })
    saveTextFile(name, text)
  }

  return (
    <Section title={messages.unsent}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-60 text-ink-muted">
          {messages.unsentCount(pending.length)}
        </p>
        {pending.length > 0 && <Button onClick={save}>{messages.export}</Button>}
      </div>
    </Section>
  )
}

/** Whether there is anything to agree to: analytics, or a server that counts how fast the app is. */
function useHasStatistics(): boolean {
  const [hasAnalytics] = useState(() => analyticsProjectOf(config()) !== undefined)
  return useCapability('vitals') || hasAnalytics
}

/** Where the user changes the consent to analytics. */
function PrivacySetting() {
  return (
    <div className="-my-3 *:border-0">
      <SwitchField
        label={telemetryMessages.count}
        hint={telemetryMessages.countHint}
        checked={useConsent() === 'yes'}
        onChange={(wanted) => chooseConsent(wanted ? 'yes' : 'no')}
      />
    </div>
  )
}
