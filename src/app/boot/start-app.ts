// Everything the first paint does not wait for: the engine, the configuration, and the current
// identity.
import { blankRecords } from '../../../contract/resource-schemas.ts'
import { provideEngineParts } from '../../data/optimistic.ts'
import { withShownVersions } from '../../data/operations/shown-versions.ts'
import type { SyncClient } from '../../sync/client.ts'
import { startEngine } from '../../sync/browser/start-engine.ts'
import { screenCache } from '../../sync/react/apply-changes.ts'
import { captureInstallOffer } from '../../ui/platform/install.ts'
import { loadStartupConfig } from './runtime-config.ts'
import { recordScreenSnapshots } from './screen-snapshot.ts'
import { startInstalledApp } from './installed-app.ts'
import { loadIdentity } from './load-identity.ts'
import { toast } from '../../ui/overlay/toast.tsx'
import { product } from './product.ts'
import type { roomMessages as RoomMessages } from './room-messages.ts'
import { LOCALE } from '../../../contract/text/locale.ts'
import { writeCookie } from './cookie.ts'

/** Starts all of it for this page. */
export function startApp(page: SyncClient) {
  provideEngineParts({ blankRecords, versions: withShownVersions })
  // The session may turn out to be over.
  const user_id = page.session.current()?.user.id
  const engineHandle = startEngine(page, product, screenCache)
  captureInstallOffer()
  recordScreenSnapshots(page)
  void engineHandle.started.then(() => startInstalledApp(page, user_id))
  page.roomMade.subscribe(() => {
    const room = page.roomMade.get()
    if (room) void say((messages) => messages[room.made])
  })
  void engineHandle.restored.then((count) =>
    count > 0 ? say((messages) => messages.restored(count)) : undefined,
  )
  applyLocale()
  void loadStartupConfig()
  void engineHandle.started.then(loadIdentity)
  return engineHandle
}

/** Shows a text that is rarely needed, and loaded only then. */
const say = (choose: (messages: typeof RoomMessages) => string) =>
  import('./room-messages.ts').then(
    ({ roomMessages }) => toast(choose(roomMessages)),
    () => undefined,
  )

/** Says in which language the app is, in its page and for a year in the cookie. */
function applyLocale(): void {
  document.documentElement.lang = LOCALE
  writeCookie('i18n_redirected', LOCALE, 365)
}
