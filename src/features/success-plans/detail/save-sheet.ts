// The print sheet as a file, with the sections and updates that were chosen for it.
import ACCENTS from '@figtree-parts/accents-of-latin.woff2?url'
import BASE from '@figtree-parts/base-of-latin.woff2?url'
import { elapsedPercent, isPlanOpen } from '../../../../contract/rules.ts'
import type { Action } from '../../../../contract/schemas/actions.ts'
import type { SuccessPlan, SuccessPlanUpdate } from '../../../../contract/schemas/success-plans.ts'
import type { InitiativeWork } from '../../../data/initiatives.ts'
import type { NameOf } from '../../../data/record-id.ts'
import { saveTextFile } from '../../../ui/platform/save-text-file.ts'
import { statusMessages } from '../../../widgets/status/messages.ts'
import { planMessages } from '../messages.ts'
import { chartMessages, planScreenMessages, printMessages as messages } from '../plan-messages.ts'
import type { PrintChoice } from './print-options.tsx'
import { evenPace, progressHistory } from './progress-history.ts'
import { sheetFile, type SheetContent } from './sheet-file.ts'
import { personNamed } from '../../../data/organisations/person-name.ts'

/** What a sheet can show, and what is chosen of it. */
export interface Sheet {
  plan: SuccessPlan
  choice: Omit<PrintChoice, 'updates'>
  /** The chosen updates, in their order. */
  updates: readonly SuccessPlanUpdate[]
  initiatives: readonly InitiativeWork[]
  ungrouped: readonly Action[]
  /** All updates: of those that are not chosen only the progress is shown, in the chart. */
  history: readonly SuccessPlanUpdate[]
  nameOf: NameOf
  today: string
  now: number
  /** As of when the data is; null before the first complete pull. */
  syncedAt: number | null
}

/** Saves the sheet as one HTML file. Works offline. */
export async function saveSheet(sheet: Sheet): Promise<void> {
  const fonts = await Promise.all([BASE, ACCENTS].map(readFont))
  const file = sheetFile(sheetContent(sheet), fonts)
  saveTextFile(messages.fileName(sheet.plan.title, sheet.today), file, 'text/html')
}

/** A part of the app's font in base64, so that the file looks as the sheet does; empty where it cannot be read. */
async function readFont(part: string): Promise<string> {
  try {
    const answer = await fetch(part)
    if (!answer.ok) return ''
    return btoa(String.fromCharCode(...new Uint8Array(await answer.arrayBuffer())))
  } catch {
    return ''
  }
}

/** The chosen content of the sheet; what was not chosen is not in it. */
export function sheetContent(sheet: Sheet): SheetContent {
  const { plan, choice, updates, nameOf, syncedAt } = sheet
  const { status, health, account_id } = plan
  return {
    title: plan.title,
    about: [
      statusMessages.statusOption(status),
      ...(choice.health && health ? [statusMessages.health(health)] : []),
      ...[nameOf('accounts', account_id) ?? []].flat(),
      ...(syncedAt === null ? [] : [messages.asOf(syncedAt)]),
    ],
    progress: choice.facts
      ? { label: planMessages.progressOf(plan.title), value: plan.progress }
      : null,
    chart: choice.facts ? chartOf(sheet) : null,
    facts: choice.facts ? factsOf(sheet) : [],
    texts: choice.facts
      ? [
          { title: planScreenMessages.description, text: plan.description ?? '' },
          { title: planScreenMessages.criteria, text: plan.success_criteria ?? '' },
        ].filter(({ text }) => text !== '')
      : [],
    work: { title: messages.initiatives, initiatives: choice.work ? workOf(sheet) : [] },
    updates: {
      title: messages.updates,
      entries: updates.map(({ user_id, written_at, progress_to, body }) => ({
        about: [
          personNamed(nameOf, user_id),
          messages.written(written_at),
          ...(progress_to === null ? [] : [planMessages.percent(progress_to)]),
        ].join(' · '),
        text: body,
      })),
    },
  }
}

function chartOf({ plan, history, initiatives, ungrouped, now }: Sheet): SheetContent['chart'] {
  const actions = [...initiatives.flatMap((one) => one.actions), ...ungrouped]
  return {
    title: chartMessages.title,
    label: chartMessages.label(plan.title),
    labels: chartMessages,
    points: progressHistory(plan, history, actions, now),
    even: evenPace(plan),
    now: isPlanOpen(plan) ? now : undefined,
  }
}

function factsOf({ plan, nameOf, today }: Sheet): SheetContent['facts'] {
  const elapsed = isPlanOpen(plan) ? elapsedPercent(plan, today) : undefined
  const facts: [string, string | undefined][] = [
    [planScreenMessages.progress, planMessages.percent(plan.progress)],
    [messages.timeGone, elapsed === undefined ? undefined : planMessages.percent(elapsed)],
    [planMessages.owner, nameOf('organisation_users', plan.owner_id)],
    [
      planScreenMessages.starts,
      plan.start_date ? planScreenMessages.day(plan.start_date) : undefined,
    ],
    [
      planScreenMessages.endsLabel,
      plan.end_date ? planScreenMessages.day(plan.end_date) : undefined,
    ],
    [
      planScreenMessages.outcome,
      plan.outcome === null ? undefined : planScreenMessages.outcomeOf(plan.outcome),
    ],
  ]
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

function workOf({ initiatives, ungrouped, nameOf }: Sheet): SheetContent['work']['initiatives'] {
  const shown = (actions: readonly Action[]) =>
    actions
      .filter(({ status }) => status !== 'cancelled')
      .map(({ title, status, due_date, assignee_id, assignee_contact }) => ({
        title,
        isDone: status === 'done',
        state: status === 'done' ? messages.done : messages.open,
        about: [
          nameOf('organisation_users', assignee_id) ?? assignee_contact?.name,
          due_date && messages.due(due_date),
        ]
          .filter(Boolean)
          .join(' · '),
      }))
  const groups = initiatives.map(({ initiative, actions }) => ({
    title: initiative.title,
    progress: planMessages.percent(initiative.progress),
    actions: shown(actions),
  }))
  const rest = shown(ungrouped)
  return rest.length === 0 ? groups : [...groups, { title: '', progress: '', actions: rest }]
}
