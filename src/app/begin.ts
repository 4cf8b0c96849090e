// What the first paint does not wait for: the engine at work, the configuration, and who the user is by
// now.
import type { Sync } from '../sync/client.ts'
import { startEngine } from '../sync/page-engine.ts'
import { captureInstallOffer } from '../ui/install.ts'
import { configAtStart } from './config.ts'
import { keepFirstPicture } from './first-picture.ts'
import { mindInstalledApp } from './installed-app.ts'
import { loadIdentity } from './load-identity.ts'
import { keepLocale } from './locale.ts'
import { product } from './product.ts'

/** Starts all of it for that page. */
export function begin(page: Sync) {
  const working = startEngine(page, product)
  captureInstallOffer()
  keepFirstPicture(page)
  void working.started.then(() => mindInstalledApp(page))
  keepLocale()
  void configAtStart()
  void working.started.then(loadIdentity)
  return working
}
