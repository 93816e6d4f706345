/**
 * Services that give out keys. A random value that is assigned to such a name is one; names that are also ordinary words, or
 * that as often hold a hash or an address, are left out.
 */
export const vendorNames: ReadonlySet<string> = new Set(
  `abbysale abuseipdb abyssale accuweather activecampaign adafruit adobe adyen adzuna aeroworkflow aftership
  agentops agora aikido airbrake airbyte airship airtable airvisual aiven akeyless alchemy alconost alegra
  alephalpha aletheia aletheiaapi algolia alibaba alibabacloud alienvault allsports allsportsapi alpaca
  alphavantage amadeus ambee amplitude ansible anthropic anypoint anyscale apacta api2cart apideck apiflash
  apifonica apify apilayer apiscience apollo apolloio appcenter appcues appdynamics appfollow applitools appsflyer
  appsync appsynergy apptivo appveyor appwrite aptos arangodb arcjet argocd arize artifactory artsy asaas asana
  assemblyai atlassian auth0 authress autodesk autoklose autopilot avaza aviationstack axonaut aylien ayrshare
  azuread azurecosmosdb azuredevops azurelogicapps azurestorage backblaze baidu bannerbear baremetrics baseapi
  basecamp baseten basicauth beamer beebole beehiiv besttime betfair betterstack bigcommerce billomat binance
  binaryedge bip39 bitbar bitcoinaverage bitfinex bitly bitmex bitrise bitstamp bittrex bitwarden blablabus
  blackforestlabs blazemeter blitapp blocknative blockprotocol blogger bluesky blynk bombbomb boostnote borgbase
  braintree braintrust branca branchio brandfetch braze brevo brightdata browserbase browserless browserstack
  browshot bscscan buddyns bugcrowd bugherd bugsnag builderio buildkite bulbul buttercms buttondown bybit caflou
  calcom calendarific calendly calorieninjas campayn canny canva capsulecrm captaindata carboninterface cartesia
  cashboard cashfree caspio castai censusgov censys centralstationcrm cerebras cexio chainstack chargebee
  chartmogul chatbot chatfuel checkly checklyhq checkmarx checkoutcom checkvist chromatic chromewebstore
  chronosphere cicero cielo circleci cisco ciscomeraki clarifai clearbit clerk clickhelp clickhouse clicksend
  clickup cliengo clientary clinchpad clockify clockwork clockworksms clojars closecrm cloudant cloudelements
  cloudflare cloudimage cloudinary cloudmersive cloudplan cloudsmith cloverly cloze clustdoc cockroachdb
  cockroachlabs codacy codeclimate codecov codefresh codeium codemagic coderabbit codeship cohere coinapi coinbase
  coingecko coinlayer coinlib coinmarketcap commercejs companyhub composio conekta confidentai configcat
  confluence confluent congressgov conjur contentful convertapi convertkit convex convier coralogix cosign
  couchbase countrylayer courier coveralls coverity craftmypdf cratesio credentials crossmint crowdin crowdstrike
  cryptocompare curlbasic curlheader currencycloud currencyfreaks currencylayer currencyscoop currentsapi
  customerguru customerio cyberark cypress d7network dailyco dandelion dashscope databento databox databricks
  datadog datafire dataforseo datagov datocms dbeaver debounce deepai deepgram deepinfra deepl deepseek defectdojo
  definednetworking delighted demio dependencytrack deribit descope detectify detectlanguage devin dfuse diffbot
  digitalocean dingtalk directus discord discourse disqus django dnscheck docparser docpassword documo docusign doordash
  doppler dovico dronahq droneci dropbox dropboxsign duffel dwolla dynalist dynatrace dyspatch eagleeyenetworks
  easyinsight easypost ecobee edamam edenai egnyte elastic elasticemail elementor elevenlabs eloqua enablex
  endorlabs enigma eodhd epicgames etherscan ethplorer etrade eventbrite everhour evervault exchangerateapi
  exchangeratesapi exoscale faceplusplus fakejson fastforex fastgpt fastly fauna fedex feedier feishu fetchrss
  fibery figma fileio filezilla finage financialmodelingprep findl finicity finnhub fireblocks firecrawl fireworks
  fitbit fivetran fixerio flagsmith flatio fleetbase flexport flickr flightapi flightstats flowflu flowise flowlu
  fluentd flutterwave flyio fontawesome formio fortinet fossa foursquare frameio freemius freshbooks freshdesk
  freshworks friendli frontegg fullstory fusebill fusionauth fxmarket garmin gateio geckoboard gemfury
  genericpassword gengo geoapify geocodexyz geocodify geocodio geoipifi getemail getemails getgeoapi getgist
  getsandbox giphy gitalk gitbook gitpod gitter gladia glassnode gocanvas gocardless goodday goodreads googlebooks
  gorgias gotify govuknotify gradle grafana graphcms graphhopper greynoise groovehq growthbook gtmetrix
  guardianapi gumroad gyazo hackerone happi happyscribe haproxy hashicorp hashicorptf hasura haveibeenpwned
  hcaptcha headscale healthchecksio helicone helius hellosign helpcrunch helpscout heroku hetzner hexpm heygen
  hightouch hiveage hockeyapp holidayapi homeassistant honeybadger honeycomb hotjar huawei hubspot huggingface
  humanloop huobi hyperbolic hyperbrowser hyperliquid hypertrack ibmcos iconfinder ideogram iexcloud ifttt
  imagekit imagga imgix infisical infobip infracost infura inngest insightly instana integromat interactivebrokers
  intercom intrinio invoiceocean ip2location ipapi ipgeolocation ipify ipinfo ipinfodb ipqualityscore ipstack
  iterable iyzico jboss jellyfin jenkins jetbrains jfrog jotform jumpcloud jupiterone kakao kalshi kanbantool
  karmacrm keenio keycloak kickbox klarna klaviyo klipfolio knapsackpro kontent koyeb kraken krakenio kucoin kylas
  lambdalabs lambdatest langchain langfuse langsmith languagelayer lastfm launchdarkly leadfeeder leanplum lemlist
  lemonsqueezy lendflow leonardo lessannoyingcrm letta lexigram lightstep linkedin linkpreview linkup linode
  listmonk litellm lithic liveagent liveblocks livekit livestorm llamaindex locationiq logdna loggly logicmonitor
  loginradius logtail logzio lokalise looker lorawan losant loyverse macaddress madkudu magento magicbell
  magiclink magnetic mailboxlayer mailchimp mailerlite mailersend mailgun mailjet mailmodo mailru mailsac mailtrap
  mandrill mapbox mapquest marketo marketstack marqeta mastodon matlab mattermost mavenlink maxmind meaningcloud
  mediastack meetup meistertask meraki mercadopago mesibo messagebird metaapi metabase metaculus metrilo midise
  midtrans mikrotik mindmeister minimax minio mintlify mistral mixmax mixpanel moderntreasury mollie mongodb
  monsterapi monzo moonclerk moonshot moosend moralis msteams mullvad myfreshworks myintervals nasdaqdatalink
  naver nebius netbird nethunt netlify netsuite neutrinoapi newrelic newsapi newscatcher nexmo nextauth nextcloud
  nftport nftstorage ngrok nhost nicereply nightfall nimble nlpcloud nordvpn nostr novita nozbe nuget numverify
  nutanix nutritionix nvidia nylas nytimes oanda octoai octopus octopusdeploy okteto omise omnisend onedesk
  onelogin onepagecrm onepassword onesignal onfleet onwater oopspam openai opencage opencagedata opengraphr
  openrouter opensea openshift openuv openvsx openweather openwhisk opsgenie optimizely owlbot oxylabs
  packagecloud paddle pagarme pagerduty pagseguro paloalto pandadoc pandascore pantheon papertrail paralleldots
  parseur particleio partnerstack passbase passwordreset pastebin paymo paymongo paypal paystack paytm pdflayer
  pdfshift peopledatalabs pepipost percy perplexity pfsense phabricator photoroom phpmailer picatic pinata
  pinecone pingdom pinterest pipedream pipedrive pivotal pivotaltracker pixabay plaid planetscale planview planyo
  platformsh playht plivo plotly poloniex polygonio polygonscan polymarket portainer portkey positionstack
  postageapp postgres posthog postman postmark powrbot predictit prefect prismic privateai privatekey prodpad
  profitwell prometheus promptlayer prospectcrm prospectio protocolsio proxmox proxycrawl przelewy24 pubnub pulumi
  purestake pushbullet pusher pushover pwhash qdrant qiita qualaroo qualys quandl qubole questrade quickbooks
  quickmetrics quicknode railway rakuten rancher rapid7 rapidapi raygun razorpay reactapp readme readthedocs
  readwise rebrandly recurly redhat removebg repairshopr replicate replit requesty rescuetime resend restpack
  retell revai revampcrm revenuecat revolut ringcentral ritekit roaring robinhood roblox rocketchat rocketreach
  rollbar roninapp rootly route4me rownd rubygems rudderstack runpod runrunit sakuracloud saladcloud salesblink
  salescookie salesflare salesforce sambanova samsara satismeter sauce saucelabs scaleway scalingo scalr schwab
  scoutapm scrapeapi scrapeowl scraperapi scraperbox scrapersite scrapestack scrapfly scrapingant scrapingbee
  scrapingdog screenshotapi screenshotlayer scrutinizer searchapi securitytrails selectpdf semgrep sendbird
  sendgrid sendinblue sendwithus sendy sentinelone sentry serpapi serper serphouse serpstack servicenow settlemint
  sheety sherpadesk shipday shipengine shippo shipstation shodan shopify shotstack shutterstock sidekiq signalwire
  signaturit signupgenius sigopt siliconflow simplesat simplynoted simvoly sinch siteleaf sketchup skrapp
  skybiometry skylight skyvern slackwebhook smartproxy smartsheet smartthings smarty smooch smtp2go snapchat
  snapcraft snipcart snowflake socketdev socketlabs socrata softlayer sonar sonarqube sonarr sonatype soundcloud
  sourcegraph sourcery spacelift sparkpost speechmatics splunk splunkobservability spoonacular sportsmonk spotify
  squarespace sslmate stackblitz stackhawk statsig statuscake statuspage stitchdata stockdata storecove storj
  stormglass stormpath storyblok storychief strapi strava stripe stytch substack sugester sumologic supabase
  supernotes surrealdb surveyanyplace surveybot surveysparrow survicate swiftype synology tableau tabnine
  tailscale tallyfy tatum tauri tavily taxjar teamcity teamgate teamwork technicalanalysisapi telegraf teleport
  telnyx tenable tencent tesla text2data textmagic theoddsapi thingsboard thingspeak thinkific thirdweb
  thousandeyes ticketmaster tiingo tiktok timescale timezoneapi tines tinkoff tinypng tiptap tmetric todoist toggl
  tomorrowio tomtom traceloop tradier tradingview traefik trakt transferwise travelpayouts travisci trello
  triggerdev truelayer truenas turborepo turso twelvedata twilio twingate twitch tyntec typeform ubidots unifi
  unkey unplugg unsplash unstructured upcdatabase upcloud uplead uploadcare upstage upstash uptimerobot upwave
  urbanairship urlscan userflow userstack uservoice valtown vastai vatlayer vault veracode vercel verimail
  veriphone versioneye viber victorops viewneo vimeo virustotal visualcrossing vmware voiceflow voicegain
  volcengine vonage vouchery voyage voyageai vpnapi vultr wakatime walkscore wasabi weatherbit weatherstack
  weaviate webex webflow webscraper webscraping weightsandbiases wepay wercker whatsapp whoop whoxy wireguard
  wistia withings wolfram woocommerce woodpecker wordpress workday workos worksnaps workstack worldcoinindex
  worldweather worldweatheronline wrike xendit xmltojson yandex yodlee yookassa youcom youneedabudget yousign
  youtrack zapier zendesk zenkit zenrows zenscrape zenserp zeplin zerobounce zerotier zhipu zipapi zipbooks
  zipcodeapi zonkafeedback zoomeye zuplo`.split(/\s+/),
);
