// WebKitGTK's engine in a window of our own, run by gjs: a browser that is driven, and yet keeps what it
// stores. Debian's MiniBrowser forgets everything as soon as it is driven.
import Gtk from 'gi://Gtk?version=3.0'
import WebKit from 'gi://WebKit2?version=4.1'
import { programArgs } from 'system'

const [profile] = programArgs
Gtk.init(null)
const context = WebKit.WebContext.new_with_website_data_manager(
  new WebKit.WebsiteDataManager({
    base_data_directory: `${profile}/data`,
    base_cache_directory: `${profile}/cache`,
  }),
)
context.set_automation_allowed(true)
context.connect('automation-started', (_, session) => {
  const name = new WebKit.ApplicationInfo()
  name.set_name('WebKitGTK')
  session.set_application_info(name)
  session.connect('create-web-view', () => {
    const view = new WebKit.WebView({ web_context: context, is_controlled_by_automation: true })
    const window = new Gtk.Window({ default_width: 1280, default_height: 900 })
    window.add(view)
    window.show_all()
    return view
  })
})
Gtk.main()
