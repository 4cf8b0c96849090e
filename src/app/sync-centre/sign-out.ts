import type { NavigateFunction } from 'react-router'
import { sync } from '../../sync/client.ts'

/** Signs out on this device, and shows the sign-in. */
export async function signOut(
  navigate: NavigateFunction,
  unsentWork: 'keep' | 'discard',
): Promise<void> {
  await import('../../features/profile/push-device.ts')
    .then(({ turnPushOff }) => turnPushOff())
    // The user signs out all the same: the worker unsubscribes at the first message for someone else.
    .catch(() => undefined)
  // Navigate first: otherwise the guards would store this path as the one to return to.
  await navigate('/auth')
  await sync().signOut(unsentWork)
}
