"""serve.py FOLDER BUCKET ACCESS_KEY SECRET_KEY: OpenStack Swift (Debian: python3-swift) on loopback, with its S3 interface, which checks signatures (AWS
Signature Version 4) and the digests of bodies. Its four servers are in one process. Its files are in FOLDER, which must be empty. Prints the address of
the bucket when it answers, and ends with its standard input."""
import os
import sys
from array import array

import eventlet
import eventlet.wsgi
from eventlet import tpool

eventlet.monkey_patch()

from swift.account.server import AccountController
from swift.common import storage_policy, utils
from swift.common.middleware.catch_errors import filter_factory as catch_errors
from swift.common.middleware.listing_formats import filter_factory as listing_formats
from swift.common.middleware.s3api.s3api import filter_factory as s3api
from swift.common.middleware.tempauth import filter_factory as tempauth
from swift.common.ring import Ring, RingData
from swift.common.swob import Request
from swift.common.wsgi import SwiftHttpProtocol
from swift.container.server import ContainerController
from swift.obj.server import ObjectController
from swift.proxy.server import Application

folder, bucket, access_key, secret_key = sys.argv[1:]
account, user = access_key.split(":")
conf = {"devices": folder, "swift_dir": folder, "mount_check": "false", "log_level": "CRITICAL"}
utils.HASH_PATH_PREFIX, utils.HASH_PATH_SUFFIX = b"", b"test"
storage_policy._POLICIES = storage_policy.StoragePolicyCollection([storage_policy.StoragePolicy(0, "one", True)])
os.mkdir(os.path.join(folder, "drive"))
logger = utils.get_logger(conf, log_route="test")


class Silent:
    def write(self, _text):
        pass


class Cache(dict):
    """In the place of memcached, which tempauth insists on."""

    def get(self, key, **_options):
        return dict.get(self, key)

    def set(self, key, value, **_options):
        self[key] = value

    def delete(self, key, **_options):
        self.pop(key, None)

    def __bool__(self):
        return True


def cached(_conf):
    cache = Cache()

    def with_cache(inner):
        return lambda env, start_response: inner({**env, "swift.cache": cache}, start_response)

    return with_cache


def serve(application):
    socket = eventlet.listen(("127.0.0.1", 0))
    eventlet.spawn(eventlet.wsgi.server, socket, application, log=Silent(), protocol=SwiftHttpProtocol,
                   capitalize_response_headers=False)
    return socket.getsockname()[1]


def ring(name, application):
    device = {"id": 0, "region": 1, "zone": 1, "weight": 1.0, "device": "drive", "ip": "127.0.0.1",
              "port": serve(application)}
    RingData([array("H", [0])], [device], 32).save(os.path.join(folder, name + ".ring.gz"))
    return Ring(folder, ring_name=name)


ring("object", ObjectController(conf, logger))
proxy = Application({**conf, "account_autocreate": "true"}, logger,
                    account_ring=ring("account", AccountController(conf, logger)),
                    container_ring=ring("container", ContainerController(conf, logger)))
application = proxy
for factory, options in (
    (listing_formats, {}),
    (tempauth, {"user_%s_%s" % (account, user): secret_key + " .admin", "storage_url_scheme": "http"}),
    (s3api, {"location": "us-east-1"}),
    (catch_errors, {}),
    (cached, {}),
):
    application = factory(conf, **options)(application)
made = Request.blank("/v1/AUTH_%s/%s" % (account, bucket), method="PUT",
                     environ={"swift_owner": True}).get_response(proxy)
if made.status_int // 100 != 2:
    sys.exit("the bucket was not made: %s" % made.status)
print("http://127.0.0.1:%d/%s" % (serve(application), bucket), flush=True)
tpool.execute(sys.stdin.buffer.read)  # waits without stopping the servers
os._exit(0)
