import { ArrowRightLeft, Link2, Pencil, PenLine } from 'lucide-react'
import { requiredForTransition, transitionsFrom } from '../../../contract/rules.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { isOnServer } from '../../data/operations/pending-edits.ts'
import { postUpdate } from '../../data/success-plans/post-update.ts'
import { transitionName } from '../../features/success-plans/transition-name.ts'
import { transitionMessages, updateMessages } from '../../features/success-plans/plan-messages.ts'
import { toast } from '../../ui/overlay/toast.tsx'
import type { Item } from './palette-box.tsx'
import type { StatusQuestionRequest } from './palette.tsx'
import { paletteMessages as messages } from './messages.ts'
import { planPath } from '../../ui/platform/record-path.ts'

interface CommandContext {
  go: (to: string) => () => void
  after: (act: () => unknown) => () => void
  onAsk: (asked: StatusQuestionRequest) => void
  /** Whether single keys are shortcuts. */
  hasKeys: boolean
}

/** The commands for the plan on the screen. */
export function planCommands(
  plan: SuccessPlan,
  { go, after, onAsk, hasKeys }: CommandContext,
): Item[] {
  const path = planPath(plan.id)
  return [
    { key: 'post', label: messages.postUpdate, icon: PenLine, run: go(`${path}#write`) },
    {
      key: 'edit',
      label: messages.editPlan,
      icon: Pencil,
      keys: hasKeys ? 'E' : undefined,
      run: go(`${path}?edit`),
    },
    ...transitionsFrom(plan.status).map((to): Item => {
      const name = transitionName(plan.status, to)
      return {
        key: `status:${to}`,
        label: messages.changeStatus(name),
        icon: ArrowRightLeft,
        run:
          requiredForTransition(to) === undefined
            ? after(() => changeStatus(plan, to))
            : () => onAsk({ plan, to, name }),
      }
    }),
    ...(isOnServer('success_plans', plan.id)
      ? [
          {
            key: 'link',
            label: messages.copyLink,
            icon: Link2,
            run: after(() =>
              navigator.clipboard
                .writeText(location.origin + path)
                .then(() => toast(messages.copied))
                .catch(() => toast(messages.copyRefused)),
            ),
          },
        ]
      : []),
  ]
}

const changeStatus = (plan: SuccessPlan, status: StatusQuestionRequest['to']) =>
  postUpdate(plan, { status })
    .then(() => toast(transitionMessages.saved))
    .catch(() => toast(updateMessages.failed))
