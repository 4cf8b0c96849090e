import { useMemo, type ReactNode } from 'react'
import {
  Building2,
  CircleCheck,
  Flag,
  HardDrive,
  LayoutTemplate,
  MessageSquareText,
  Pencil,
  Route,
  UserRound,
} from 'lucide-react'
import { useLocation } from 'react-router'
import { useCurrentIds } from '../../data/record-id.ts'
import { useConnection } from '../../sync/react/use-sync.ts'
import { StatusTag } from '../../widgets/status/tags.tsx'
import type { Item, Section } from './palette-box.tsx'
import type { StatusQuestionRequest } from './palette.tsx'
import { planCommands } from './plan-commands.ts'
import { matchesText } from './commands.ts'
import { recordAt, useRecent } from './recent-records.ts'
import { deviceSearch, excerptOf, withServerResults, type SearchResult } from './search.ts'
import { useDeviceRecords, useServerSearch } from './use-search.ts'
import { paletteMessages as messages } from './messages.ts'
import { accountPath, planPath } from '../../ui/platform/record-path.ts'
import { actionPath, initiativePath } from '../../ui/platform/work-path.ts'

interface RecordSectionsProps {
  /** The typed text, trimmed. */
  typed: string
  /** Whether search results are shown. */
  withResults: boolean
  commands: readonly Section[]
  go: (to: string) => () => void
  after: (act: () => unknown) => () => void
  onAsk: (asked: StatusQuestionRequest) => void
  /** Whether single keys are shortcuts. */
  hasKeys: boolean
  children: (sections: Section[], state: string) => ReactNode
}

const ICONS = {
  plan: Route,
  account: Building2,
  contact: UserRound,
  initiative: Flag,
  action: CircleCheck,
  template: LayoutTemplate,
  update: MessageSquareText,
}

/** The palette's sections with records of the active organisation. */
export function RecordSections(props: RecordSectionsProps) {
  const { typed, withResults, commands, go, after, onAsk, hasKeys, children } = props
  const { pathname } = useLocation()
  const connection = useConnection()
  const deviceRecords = useDeviceRecords(typed !== '')
  const server = useServerSearch(typed)
  const search = useMemo(() => deviceSearch(deviceRecords), [deviceRecords])
  const found = useMemo(() => search(typed), [search, typed])
  const planById = useMemo(
    () => new Map(deviceRecords.plans?.map((plan) => [plan.id, plan])),
    [deviceRecords.plans],
  )
  const recent = useRecent()
  const idNow = useCurrentIds()
  const inPath = recordAt(pathname)
  const currentRecord = inPath && { ...inPath, id: idNow(inPath.id) }
  const plan = currentRecord?.kind === 'plan' ? planById.get(currentRecord.id) : undefined

  const toItem = (one: SearchResult): Item => ({
    key: one.key,
    icon: ICONS[one.kind],
    ...resultItem(one, { go, typed, planTitle: (id) => planById.get(id ?? '')?.title }),
  })
  const results = withServerResults(found, server.plans, (id) => planById.has(id)).map(toItem)
  const recents = recent
    .filter(({ kind, id }) => id !== currentRecord?.id || kind !== currentRecord.kind)
    .flatMap(({ kind, id }): Item[] => {
      const label =
        kind === 'plan'
          ? planById.get(id)?.title
          : deviceRecords.accounts?.find((account) => account.id === id)?.name
      if (label === undefined) return []
      const to = kind === 'plan' ? planPath(id) : accountPath(id)
      return [{ key: `recent:${kind}:${id}`, label, icon: ICONS[kind], run: go(to) }]
    })
  const thisPlan = plan
    ? planCommands(plan, { go, after, onAsk, hasKeys }).filter(({ label }) =>
        matchesText(label, typed),
      )
    : []

  const account = currentRecord?.kind === 'account' ? currentRecord.id : undefined
  const thisAccount: Item[] =
    account === undefined
      ? []
      : [
          {
            key: 'edit-account',
            label: messages.editAccount,
            icon: Pencil,
            keys: hasKeys ? 'E' : undefined,
            run: go(`${accountPath(account)}?edit`),
          },
          {
            key: 'plan-for-account',
            label: messages.planForAccount,
            icon: Route,
            run: go(`/success-plans/new?account=${encodeURIComponent(account)}`),
          },
        ].filter(({ label }) => matchesText(label, typed))

  const sections: Section[] = [
    { key: 'this-plan', items: thisPlan },
    { key: 'this-account', items: thisAccount },
    { key: 'recent', items: typed === '' ? recents : [] },
    ...commands,
    { key: 'results', items: withResults ? results : [] },
  ]
  const isEmpty = sections.every(({ items }) => items.length === 0)
  const state =
    withResults && server.asking && connection !== 'offline'
      ? messages.asking
      : isEmpty
        ? connection === 'offline'
          ? messages.nothingHere
          : server.failed
            ? messages.notSearched
            : messages.nothing
        : ''
  return children(sections, state)
}

interface ResultContext {
  go: RecordSectionsProps['go']
  typed: string
  planTitle: (success_plan_id: string | null) => string | undefined
}

/** A search result as an item. */
function resultItem(
  found: SearchResult,
  { go, typed, planTitle }: ResultContext,
): Omit<Item, 'key' | 'icon'> {
  const mark = found.onDevice && <OnDevice />
  switch (found.kind) {
    case 'plan': {
      const { id, title, status, end_date, progress } = found.record
      return {
        label: title,
        aside: (
          <>
            <StatusTag status={status} />
            {end_date && <time dateTime={end_date}>{messages.ends(end_date)}</time>}
            <span>{messages.percent(progress)}</span>
            {mark}
          </>
        ),
        run: go(planPath(id)),
      }
    }
    case 'account':
      return {
        label: found.record.name,
        detail: messages.kinds.account,
        aside: mark,
        run: go(accountPath(found.record.id)),
      }
    case 'contact': {
      const { name, account, details } = found.record
      return {
        label: name,
        detail: messages.contactOf(account.name, details),
        aside: mark,
        run: go(accountPath(account.id)),
      }
    }
    case 'template':
      return {
        label: found.record.title,
        detail: messages.kinds.template,
        aside: mark,
        run: go(`/templates?edit=${encodeURIComponent(found.record.id)}`),
      }
    case 'update':
      return {
        label: excerptOf(found.record.body, typed),
        detail: messages.updateOf(planTitle(found.record.success_plan_id)),
        aside: mark,
        run: go(planPath(found.record.success_plan_id)),
      }
    default: {
      const { title, status, success_plan_id } = found.record
      const detail = found.kind === 'action' ? messages.actionOf : messages.initiativeOf
      return {
        label: title,
        detail: detail(planTitle(success_plan_id)),
        aside: (
          <>
            {found.kind === 'initiative' && <StatusTag status={status} />}
            {found.kind === 'action' && status === 'done' && <span>{messages.done}</span>}
            {mark}
          </>
        ),
        run: go(
          found.kind === 'action' ? actionPath(found.record) : initiativePath(found.record.id),
        ),
      }
    }
  }
}

/** Tells that a result is stored on this device. */
const OnDevice = () => (
  <span title={messages.here} className="inline-flex items-center gap-1.5 text-xs text-ink-faint">
    <HardDrive aria-hidden className="size-3.5" />
    {/* A phone has room for the icon only. */}
    <span className="max-sm:sr-only">{messages.here}</span>
  </span>
)
