import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { toast } from '../../ui/overlay/toast.tsx'
import { shareMessages as messages } from './plan-messages.ts'

/** Whether the device has a sheet of its own for sharing; else the link is copied. */
export const canShare = (): boolean => typeof navigator.share === 'function'

/** Hands the plan's link to whatever the device shares by, or to the clipboard, and says so. */
export async function sharePlan({ id, title }: SuccessPlan): Promise<void> {
  const url = `${location.origin}/success-plans/${id}`
  try {
    if (canShare()) return await navigator.share({ title, url })
    await navigator.clipboard.writeText(url)
    toast(messages.copied)
  } catch (problem) {
    // Who closes the sheet has seen it.
    if (problem instanceof DOMException && problem.name === 'AbortError') return
    toast(messages.refused(url))
  }
}
