import type { SuccessPlan, SuccessPlanUpdate } from '../../../contract/schemas/success-plans.ts'
import { requiredForTransition, transitionsFrom } from '../../../contract/rules.ts'
import { UNKNOWN_TIME } from '../../../contract/values.ts'
import { importedId } from '../import/imported-id.ts'
import { importMessages } from '../import/messages.ts'
import { ReachedPlan, type Posted } from './reached-plan.ts'
import { filled, instant, type RestoreCall, type Restoring } from './restoring.ts'
import { firstStatus, statusPath } from './status-path.ts'

interface RestoringPlan extends Restoring {
  /** The plan, if it is in the organisation already. */
  known: SuccessPlan | undefined
  /** Whether its progress can follow actions. */
  hasActions: boolean
  /** Whether the organisation has the update. */
  isHere: (id: string) => boolean
}

/** An update with its line in the archive, from 0. */
interface Entry {
  update: SuccessPlanUpdate
  line: number
}
type Step = RestoreCall & { line?: number }

/** As many characters as an update may have. */
const MOST_CHARACTERS = 5_000

/**
 * The calls that create a plan and post its updates again, in the order in which the server took them: status,
 * progress and health follow from them, as when they were written. Where the history does not lead to what the plan
 * has, because a part of it is missing or something was edited without an update, further calls do.
 */
export function restorePlan(
  plan: SuccessPlan,
  history: readonly Entry[],
  { idOf, memberOf, signed, user_id, isUnsent, known, hasActions, isHere }: RestoringPlan,
): Step[] {
  const id = idOf('success_plans', plan.id)
  const firstProgress = history.find(({ update }) => update.progress_to !== null)?.update
  const start = {
    progress: firstProgress?.progress_from ?? (firstProgress ? 0 : plan.progress),
    health: history.some(({ update }) => update.health !== null) ? null : plan.health,
  }
  const reached = new ReachedPlan(known ?? start)
  const steps: Step[] = []
  const changesStatus = history.find(({ update }) => update.status_to !== null)?.update
  const before = changesStatus?.status_to === 'in-progress' ? 'planned' : 'in-progress'
  const first = firstStatus(changesStatus ? (changesStatus.status_from ?? before) : plan.status)
  const isNew = !known
  if (isNew) steps.push(createPlan())
  let status = known?.status ?? first
  const post = (body: Posted, line?: number) => {
    const input = { path: { id }, body: { ...body } }
    steps.push({ call: 'postPlanUpdate', input, ...(line !== undefined && { line }) })
    reached.post(body)
  }
  const bridgeTo = (to: string, written_at: string | undefined, name: string) => {
    for (const [at, next] of (statusPath(status, to) ?? []).entries()) {
      const bridge = importedId('bridge', id, name, String(at))
      if (!isHere(bridge))
        post({
          id: bridge,
          body: requiredForTransition(next) === 'note' ? importMessages.importedAs(next) : '',
          status: next,
          ...(next === 'completed' && { outcome: outcomeWith(plan.progress) }),
          written_at,
        })
      status = next
    }
  }

  const missing = history.filter(({ update }) => !isHere(idOf('success_plan_updates', update.id)))
  const lastCompletion = history.findLast(({ update }) => update.status_to === 'completed')
  for (const { update, line } of missing) {
    const { status_to, progress_to, health } = update
    const written_at = update.written_at === UNKNOWN_TIME ? undefined : update.written_at
    if (isNew && status_to !== null && status_to !== status)
      if (!transitionsFrom(status).some((next) => next === status_to))
        bridgeTo(update.status_from ?? status, written_at, update.id)
    const next = transitionsFrom(status).find((one) => one === status_to)
    const note =
      next && requiredForTransition(next) === 'note' && update.body === ''
        ? importMessages.importedAs(next)
        : update.body
    const changes = {
      // A plan that follows its actions takes none.
      ...(progress_to !== null && known?.progress_mode !== 'auto' && { progress: progress_to }),
      ...(health !== null && { health }),
      ...(next && { status: next }),
      ...(next === 'completed' && { outcome: outcomeOf(update) }),
    }
    const text = signed(note, update.user_id)
    const parts = text.length > MOST_CHARACTERS ? [note, signed('', update.user_id)] : [text]
    const own = idOf('success_plan_updates', update.id)
    if (parts[0] || Object.keys(changes).length > 0)
      post({ id: own, body: parts[0] ?? '', ...changes, written_at }, line)
    if (parts[1]) post({ id: importedId('author', own), body: parts[1], written_at }, line)
    if (next) status = next
  }
  // A plan that was changed here since it was imported stays as it is.
  if (isNew || missing.length > 0 || isUnsent('success_plans', known.id)) finish()
  return steps

  function outcomeOf(update: SuccessPlanUpdate) {
    if (update === lastCompletion?.update && plan.outcome) return outcomeWith(update.progress_to)
    return update.progress_to === 100 ? 'achieved' : 'partially-achieved'
  }

  /** The plan's outcome, unless it was edited since: what was achieved was at 100 %. */
  function outcomeWith(progress: number | null) {
    const isEdited = plan.outcome === 'achieved' && (progress ?? plan.progress) !== 100
    return (isEdited ? null : plan.outcome) ?? 'partially-achieved'
  }

  function createPlan(): Step {
    return {
      call: 'createSuccessPlan',
      input: {
        body: filled({
          id,
          title: plan.title,
          type: plan.account_id === null ? 'project' : plan.type,
          status: first,
          ...start,
          description: plan.description,
          success_criteria: plan.success_criteria,
          start_date: plan.start_date,
          end_date: plan.end_date,
          account_id: plan.account_id,
          owner_id: memberOf(plan.owner_id) ?? user_id,
          update_cadence_days: plan.update_cadence_days,
        }),
      },
    }
  }

  /**
   * What the updates do not set. A plan follows its actions only after it has its history; it would get the work and
   * the dates of its template a second time if it were created from it.
   */
  function finish() {
    const at = instant(
      plan.last_update_at ?? plan.updated_at ?? plan.created_at ?? new Date(0).toISOString(),
    )
    bridgeTo(plan.status, at, 'end')
    const { template_id, progress_mode: mode, health, outcome, close_note } = plan
    const isUntouched = !known || isUnsent('success_plans', known.id)
    const isClosing = isUntouched || status !== known.status
    if (isUntouched) bridgeProgress(at)
    const body = {
      ...(isUntouched && health === null && reached.health !== null && { health }),
      ...(isClosing && outcome !== reached.outcome && { outcome }),
      ...(isClosing && close_note !== reached.close_note && { close_note }),
      ...(template_id !== null && template_id !== known?.template_id && { template_id }),
      ...(mode === 'auto' && mode !== known?.progress_mode && { progress_mode: mode }),
    }
    if (Object.keys(body).length > 0)
      steps.push({ call: 'updateSuccessPlan', input: { path: { id }, body } })
  }

  /** To the progress of a plan that had followed its actions before, or had lost them. */
  function bridgeProgress(at: string) {
    const follows = plan.progress_mode === 'auto' && hasActions && plan.status !== 'completed'
    const bridge = importedId('bridge', id, 'end', 'progress')
    if (follows || reached.progress === plan.progress || isHere(bridge)) return
    if (known?.progress_mode === 'auto') return
    post({ id: bridge, body: '', progress: plan.progress, written_at: reached.after(at) })
  }
}
