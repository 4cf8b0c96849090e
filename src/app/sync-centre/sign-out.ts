import type { NavigateFunction } from 'react-router'
import { sync } from '../../sync/client.ts'

/** Short, because a page that is closed while it waits leaves the session and all stored data on the device. */
const PUSH_TIMEOUT_MS = 1_000

/** Whether work of the signed-in user was not sent. Waits until the outbox is read, which takes time after a start. */
export async function isWorkUnsent(): Promise<boolean> {
  // Where the engine does not start, the sign-out fails as well.
  await (
    await sync().ready()
  ).decided
  const user_id = sync().session.current()?.user.id
  return sync()
    .operations.get()
    .some((one) => one.user_id === user_id && one.state !== 'acknowledged')
}

/** Signs out on this device, and shows the sign-in. */
export async function signOut(
  navigate: NavigateFunction,
  unsentWork: 'keep' | 'discard',
): Promise<void> {
  // First, because the server needs the tokens to end the subscription. If it takes longer, it continues afterwards.
  const pushEnd = import('../../features/profile/push-device.ts')
    .then(({ turnPushOff }) => turnPushOff())
    // The user signs out all the same: the worker unsubscribes at the first message for someone else.
    .catch(() => undefined)
  await Promise.race([pushEnd, new Promise((resolve) => setTimeout(resolve, PUSH_TIMEOUT_MS))])
  // Navigate first: otherwise the guards would store this path as the one to return to.
  await navigate('/auth')
  await sync().signOut(unsentWork)
}
