import AVFCapture
import CaptureDevice
import CoreVideo
import Foundation
import FoundationExtras

/// The format lists of real cameras, as `v4l2-ctl --list-formats-ext` printed them for their owners or their descriptors say
/// them, and what each preset must make of them.
///
/// A camera begins with `*`, its name and where the list was published. Then come its formats: the kernel's code, and sizes
/// with the highest of their rates (`?` where the driver names none and the backend assumes 30). Last, behind `>`, the
/// presets. Formats that nothing here reads are left out as the backend does.
enum WebcamListings {
  static let text = """
    * Logitech C920 (046d:082d), github.com/Motion-Project/motion/issues/86
    YUYV 640x480@30 160x90@30 160x120@30 176x144@30 320x180@30 320x240@30 352x288@30 432x240@30 640x360@30 800x448@30
    YUYV 800x600@24 864x480@24 960x720@15 1024x576@15 1280x720@10 1600x896@7.5 1920x1080@5 2304x1296@2 2304x1536@2
    MJPG 640x480@30 160x90@30 160x120@30 176x144@30 320x180@30 320x240@30 352x288@30 432x240@30 640x360@30 800x448@30
    MJPG 800x600@30 864x480@30 960x720@30 1024x576@30 1280x720@30 1600x896@30 1920x1080@30
    > high=MJPG 1920x1080, photo=MJPG 1920x1080, 4k=none, 1080=MJPG 1920x1080, 720=MJPG 1280x720, vga=YUYV 640x480
    > cif=YUYV 352x288, medium=YUYV 640x360, low=YUYV 176x144, 540=none

    * MacroSilicon HDMI grabber (534d:2109), github.com/PrawnMan/HdmiPi-Streaming
    MJPG 1920x1080@30 1600x1200@30 1360x768@30 1280x1024@30 1280x960@50 1280x720@60 1024x768@60 800x600@60 720x576@60
    MJPG 720x480@60 640x480@60
    YUYV 1920x1080@5 1600x1200@5 1360x768@8 1280x1024@8 1280x960@8 1280x720@10 1024x768@10 800x600@20 720x576@25
    YUYV 720x480@30 640x480@30
    > high=MJPG 1920x1080, photo=MJPG 1920x1080, 1080=MJPG 1920x1080, 720=MJPG 1280x720, vga=YUYV 640x480, cif=none
    > medium=YUYV 640x480, low=YUYV 640x480

    * VXIS USB 3 HDMI grabber, github.com/maximus64/vxis-capture-fw-mod
    MJPG 1920x1080@60 640x480@60 800x600@60 1024x768@60 1280x720@60 1280x960@60 1280x1024@60 1360x768@60 1440x900@60
    YUYV 1920x1080@60 640x480@60 800x600@60 1024x768@60 1280x720@60 1280x960@60 1280x1024@60 1360x768@60 1440x900@60
    > high=YUYV 1920x1080, photo=YUYV 1920x1080, 1080=YUYV 1920x1080, 720=YUYV 1280x720, vga=YUYV 640x480, 4k=none

    * Elgato Cam Link 4K with a UHD signal, github.com/pikvm/ustreamer/issues/97
    NV12 3840x2160@30
    YU12 3840x2160@30
    > high=NV12 3840x2160, photo=NV12 3840x2160, 4k=NV12 3840x2160, 1080=none, vga=none, low=NV12 3840x2160

    * Elgato Cam Link 4K with a 1080p25 signal, github.com/xkahn/camlink/issues/2
    YUYV 1920x1080@25
    NV12 1920x1080@25
    YU12 1920x1080@25
    > high=NV12 1920x1080, photo=NV12 1920x1080, 1080=NV12 1920x1080, 720=none, medium=NV12 1920x1080

    * Kodak PixPro 4KVR360, github.com/knorth55/eus_vive/pull/20
    MJPG 3840x2160@5 2880x2880@5 2048x2048@5 1440x1440@15 1920x1080@15 1280x720@30 640x360@30
    > high=MJPG 1280x720, photo=MJPG 3840x2160, 4k=MJPG 3840x2160, 1080=MJPG 1920x1080, 720=MJPG 1280x720, vga=none
    > medium=MJPG 640x360, low=MJPG 640x360

    * Surface Laptop 3's infrared camera, github.com/linux-surface/linux-surface/issues/428
    GREY 480x480@60
    > high=GREY 480x480, photo=GREY 480x480, vga=none, medium=GREY 480x480

    * Withrobot oCam-1MGN, github.com/pikvm/ustreamer/issues/170
    GREY 1280x960@30 1280x720@30 640x480@100 320x240@180
    > high=GREY 1280x960, photo=GREY 1280x960, 720=GREY 1280x720, vga=GREY 640x480, medium=GREY 640x480, low=GREY 320x240

    * Arducam AR0234, github.com/ros-drivers/usb_cam/issues/350
    Y16 1920x1200@? 1920x1080@? 1280x720@?
    > high=Y16 1920x1080, photo=Y16 1920x1200, 1080=Y16 1920x1080, 720=Y16 1280x720, low=Y16 1280x720

    * A laptop's camera beside an infrared one, github.com/EmixamPP/linux-enable-ir-emitter/issues/11 (raw sizes cut off)
    MJPG 1280x720@30 320x180@30 320x240@30 352x288@30 424x240@30 640x360@30 640x480@30 848x480@30 960x540@30
    YUYV 1280x720@10 320x180@30
    > high=MJPG 1280x720, photo=MJPG 1280x720, 720=MJPG 1280x720, 540=MJPG 960x540, cif=MJPG 352x288, 1080=none

    * Logitech BRIO on a USB 2 cable, github.com/soyersoyer/cameractrls/issues/48 (compressed sizes)
    MJPG 1920x1080@30 1600x896@30 1280x720@30 1024x576@30 960x540@30 848x480@30 800x600@30 800x448@30 640x480@30
    MJPG 640x360@30 480x270@30 424x240@30 352x288@30 320x240@30 320x180@30 176x144@30 160x120@30
    > high=MJPG 1920x1080, photo=MJPG 1920x1080, 4k=none, 720=MJPG 1280x720, 540=MJPG 960x540, medium=MJPG 640x360
    > low=MJPG 176x144

    * Logitech C270 (046d:0825), github.com/espressif/esp-usb, usb_host_uvc/host_test
    YUYV 640x480@30 160x120@30 176x144@30 320x176@30 320x240@30 352x288@30 432x240@30 544x288@30 640x360@30
    YUYV 752x416@25 800x448@20 800x600@20 864x480@20 960x544@15 960x720@10 1024x576@10 1184x656@10 1280x720@7.5
    YUYV 1280x960@7.5
    MJPG 640x480@30 160x120@30 176x144@30 320x176@30 320x240@30 352x288@30 432x240@30 544x288@30 640x360@30
    MJPG 752x416@30 800x448@30 800x600@30 864x480@30 960x544@30 960x720@30 1024x576@30 1184x656@30 1280x720@30
    MJPG 1280x960@30
    > high=MJPG 1280x960, photo=MJPG 1280x960, 4k=none, 1080=none, 720=MJPG 1280x720, 540=none, vga=YUYV 640x480
    > cif=YUYV 352x288, medium=YUYV 544x288, low=YUYV 176x144

    * Logitech StreamCam (046d:0893), github.com/espressif/esp-usb, usb_host_uvc/host_test
    YUYV 640x480@30 176x144@30 320x240@30 424x240@30 640x360@30 848x480@30 960x540@15 1280x720@10 1600x896@7.5
    YUYV 1920x1080@5
    MJPG 640x480@30 176x144@30 320x240@30 424x240@30 640x360@30 848x480@30 960x540@30 1280x720@30 1600x896@30
    MJPG 1920x1080@30
    > high=MJPG 1920x1080, photo=MJPG 1920x1080, 4k=none, 1080=MJPG 1920x1080, 720=MJPG 1280x720, 540=MJPG 960x540
    > vga=YUYV 640x480, cif=none, medium=YUYV 640x360, low=YUYV 176x144

    * Logitech C922, github.com/ayufan/camera-streamer, debug/btt-pi.txt
    YUYV 640x480@30 160x90@30 160x120@30 176x144@30 320x180@30 320x240@30 352x288@30 432x240@30 640x360@30
    YUYV 800x448@30 800x600@24 864x480@24 960x720@15 1024x576@15 1280x720@10 1600x896@7.5 1920x1080@5 2304x1296@2
    YUYV 2304x1536@2
    MJPG 640x480@30 160x90@30 160x120@30 176x144@30 320x180@30 320x240@30 352x288@30 432x240@30 640x360@30
    MJPG 800x448@30 800x600@30 864x480@30 960x720@30 1024x576@30 1280x720@60 1600x896@30 1920x1080@30
    > high=MJPG 1920x1080, photo=MJPG 1920x1080, 4k=none, 1080=MJPG 1920x1080, 720=MJPG 1280x720, 540=none
    > vga=YUYV 640x480, cif=YUYV 352x288, medium=YUYV 640x360, low=YUYV 176x144

    * Logitech Webcam Pro 9000 (046d:0809), github.com/libuvc/libuvc, cameras/quickcampro9000.txt
    YUYV 640x480@30 160x120@30 176x144@30 320x240@30 352x288@30 640x360@30 640x400@30 768x480@25 800x456@25
    YUYV 800x504@25 800x600@25 864x480@25 960x720@15 1280x720@7.5 1280x800@7.5 1600x904@5 1600x1000@5 1600x1200@5
    MJPG 640x480@30 160x120@30 176x144@30 320x240@30 352x288@30 640x360@30 640x400@30 768x480@30 800x456@30
    MJPG 800x504@30 800x600@30 864x480@30 960x720@30 1280x720@30 1280x800@25 1600x904@10 1600x1000@10 1600x1200@10
    > high=MJPG 1280x800, photo=MJPG 1600x1200, 4k=none, 1080=none, 720=MJPG 1280x720, 540=none, vga=YUYV 640x480
    > cif=YUYV 352x288, medium=YUYV 640x360, low=YUYV 176x144

    * Logitech C310 (046d:081b), the README of a repository named CameraPi about UV4L
    YUYV 640x480@30 160x120@30 176x144@30 320x176@30 320x240@30 352x288@30 432x240@30 544x288@30 640x360@30
    YUYV 752x416@25 800x448@20 800x600@20 864x480@20 960x544@15 960x720@10 1024x576@10 1184x656@10 1280x720@7.5
    YUYV 1280x960@7.5
    MJPG 640x480@30 160x120@30 176x144@30 320x176@30 320x240@30 352x288@30 432x240@30 544x288@30 640x360@30
    MJPG 752x416@30 800x448@30 800x600@30 864x480@30 960x544@30 960x720@30 1024x576@30 1184x656@30 1280x720@30
    MJPG 1280x960@30
    > high=MJPG 1280x960, photo=MJPG 1280x960, 4k=none, 1080=none, 720=MJPG 1280x720, 540=none, vga=YUYV 640x480
    > cif=YUYV 352x288, medium=YUYV 544x288, low=YUYV 176x144

    * Logitech BRIO on a USB 3 cable, v4l2_webcam_pipe.cpp of a GStreamer program
    YUYV 640x480@30 160x120@30 176x144@30 320x180@30 320x240@30 352x288@30 340x340@30 424x240@30 440x440@30
    YUYV 480x270@30 640x360@30 800x448@30 800x600@30 848x480@30 960x540@30 1024x576@30 1280x720@30 1600x896@30
    YUYV 1920x1080@30
    MJPG 640x480@120 160x120@30 176x144@30 320x180@30 320x240@30 352x288@30 424x240@30 480x270@30 640x360@30
    MJPG 800x448@30 800x600@30 848x480@30 960x540@30 1024x576@30 1280x720@90 1600x896@30 1920x1080@60 2560x1440@30
    MJPG 3840x2160@30 4096x2160@30
    NV12 640x480@30 640x360@30 1280x720@30 1920x1080@30
    > high=NV12 1920x1080, photo=MJPG 4096x2160, 4k=MJPG 3840x2160, 1080=NV12 1920x1080, 720=NV12 1280x720
    > 540=YUYV 960x540, vga=NV12 640x480, cif=YUYV 352x288, medium=NV12 640x360, low=YUYV 176x144

    * Microsoft LifeCam Show (045e:0729), github.com/libuvc/libuvc, cameras/ms_lifecam_show.txt
    YUYV 352x288@15 640x480@15 320x240@15 176x144@15 160x120@15 800x600@15
    MJPG 352x288@15 640x480@15 320x240@15 176x144@15 160x120@15 800x600@15 1024x768@7.5 1280x960@7.5 1600x1200@7.5
    > high=YUYV 800x600, photo=MJPG 1600x1200, 4k=none, 1080=none, 720=none, 540=none, vga=YUYV 640x480
    > cif=YUYV 352x288, medium=YUYV 352x288, low=YUYV 176x144

    * Apple iSight of an iMac (05ac:8501), github.com/libuvc/libuvc, cameras/isight_imac.txt
    UYVY 640x480@30 352x288@30 320x240@30
    > high=UYVY 640x480, photo=UYVY 640x480, 4k=none, 1080=none, 720=none, 540=none, vga=UYVY 640x480
    > cif=UYVY 352x288, medium=UYVY 352x288, low=UYVY 320x240

    * Sony PlayStation Eye, the kernel's drivers/media/usb/gspca/ov534.c
    YUYV 320x240@187 640x480@60
    > high=YUYV 640x480, photo=YUYV 640x480, 4k=none, 1080=none, 720=none, 540=none, vga=YUYV 640x480, cif=none
    > medium=YUYV 640x480, low=YUYV 320x240

    * Raspberry Pi camera 1, github.com/Motion-Project/motion/issues/940 (any size: those that are offered)
    YU12 320x180@? 320x240@? 640x360@? 640x480@? 800x600@? 1024x768@? 1280x720@? 1280x960@? 1920x1080@? 2560x1440@?
    YU12 2592x1944@?
    YUYV 320x180@? 320x240@? 640x360@? 640x480@? 800x600@? 1024x768@? 1280x720@? 1280x960@? 1920x1080@? 2560x1440@?
    YUYV 2592x1944@?
    MJPG 320x180@? 320x240@? 640x360@? 640x480@? 800x600@? 1024x768@? 1280x720@? 1280x960@? 1920x1080@? 2560x1440@?
    MJPG 2592x1944@?
    > high=YU12 1920x1080, photo=YU12 2592x1944, 4k=none, 1080=YU12 1920x1080, 720=YU12 1280x720, 540=none
    > vga=YU12 640x480, cif=none, medium=YU12 640x360, low=YU12 320x180

    * Anker PowerConf C200 (291a:3369), github.com/espressif/esp-usb, usb_host_uvc/host_test
    MJPG 2560x1440@30 1920x1080@30 1280x720@30 640x480@30 640x360@30 320x240@30
    YUYV 640x480@30 640x360@30 320x240@30
    > high=MJPG 1920x1080, photo=MJPG 2560x1440, 4k=none, 1080=MJPG 1920x1080, 720=MJPG 1280x720, 540=none
    > vga=YUYV 640x480, cif=none, medium=YUYV 640x360, low=YUYV 320x240

    * Canyon CNE-CWC2 (0c45:6340), github.com/espressif/esp-usb, usb_host_uvc/host_test
    YUYV 640x480@30 352x288@30 320x240@30 176x144@30 160x120@30 800x600@20 1280x720@10 1280x960@9 1600x1200@5
    MJPG 640x480@30 352x288@30 320x240@30 176x144@30 160x120@30 800x600@30 1280x720@15 1280x960@15 1600x1200@15
    > high=MJPG 800x600, photo=MJPG 1600x1200, 4k=none, 1080=none, 720=MJPG 1280x720, 540=none, vga=YUYV 640x480
    > cif=YUYV 352x288, medium=YUYV 352x288, low=YUYV 176x144

    * Trust webcam (0c45:6340), github.com/espressif/esp-usb, usb_host_uvc/host_test
    YUYV 640x480@30 352x288@30 320x240@30 176x144@30 1280x1024@5 160x120@30
    > high=YUYV 640x480, photo=YUYV 1280x1024, 4k=none, 1080=none, 720=none, 540=none, vga=YUYV 640x480
    > cif=YUYV 352x288, medium=YUYV 352x288, low=YUYV 176x144

    * ELP with H.264 (32e4:9422), github.com/espressif/esp-usb, usb_host_uvc/host_test
    MJPG 1920x1080@30 1280x720@30 800x600@30 640x480@30 640x360@30 352x288@30 320x240@30
    YUYV 640x480@30 800x600@15 640x360@30 352x288@30 320x240@30
    > high=MJPG 1920x1080, photo=MJPG 1920x1080, 4k=none, 1080=MJPG 1920x1080, 720=MJPG 1280x720, 540=none
    > vga=YUYV 640x480, cif=YUYV 352x288, medium=YUYV 640x360, low=YUYV 320x240

    * ELP with H.265 and an HDMI socket (32e4:9415), github.com/espressif/esp-usb, usb_host_uvc/host_test
    MJPG 640x360@30 640x480@30 960x540@30 1024x576@30 1280x720@30 1920x1080@30 2560x1440@30 3840x2160@30
    YUYV 640x360@30 640x480@30 960x540@15 1024x576@15 1280x720@10 1920x1080@5
    > high=MJPG 1920x1080, photo=MJPG 3840x2160, 4k=MJPG 3840x2160, 1080=MJPG 1920x1080, 720=MJPG 1280x720
    > 540=MJPG 960x540, vga=YUYV 640x480, cif=none, medium=YUYV 640x360, low=YUYV 640x360

    * HD video module (349c:3307), github.com/espressif/esp-usb, usb_host_uvc/host_test
    MJPG 1280x720@15 800x480@20 640x480@25 480x320@25
    > high=MJPG 640x480, photo=MJPG 1280x720, 4k=none, 1080=none, 720=MJPG 1280x720, 540=none, vga=MJPG 640x480
    > cif=none, medium=MJPG 480x320, low=MJPG 480x320

    * 3DO 4K camera, github.com/ayufan/camera-streamer, debug/btt-pi2.txt
    MJPG 1920x1080@60 3840x2160@30 640x480@60 160x120@60 176x144@60 320x180@60 320x240@60 352x288@60 340x340@60
    MJPG 424x240@60 440x440@60 480x270@60 640x360@30 800x448@60 800x600@60 848x480@60 960x540@60 1024x576@60
    MJPG 1280x720@60 1600x896@60 2560x1440@30 3840x3104@30 3264x2448@30 2592x1944@30 2048x1536@30 1600x1200@30
    MJPG 1024x768@60
    YUYV 1920x1080@5 3840x2160@1 640x480@30 160x120@30 176x144@30 320x180@30 320x240@30 352x288@30 340x340@30
    YUYV 424x240@30 440x440@30 480x270@30 640x360@30 800x448@30 800x600@10 848x480@30 960x540@10 1024x576@10
    YUYV 1280x720@10 1600x896@5 2560x1440@1 3840x3104@1 3264x2448@1 2592x1944@1 2048x1536@1 1600x1200@1 1024x768@10
    > high=MJPG 1920x1080, photo=MJPG 3840x3104, 4k=MJPG 3840x2160, 1080=MJPG 1920x1080, 720=MJPG 1280x720
    > 540=MJPG 960x540, vga=YUYV 640x480, cif=YUYV 352x288, medium=YUYV 480x270, low=YUYV 176x144

    * Webcam YG_U700 with H.264, github.com/ayufan/camera-streamer, debug/raspi4.txt
    MJPG 320x240@30 480x272@30 640x360@30 640x480@30 800x600@30 1024x576@30 1280x720@30 1440x1080@30 1920x1080@30
    MJPG 2560x1440@25
    YUYV 320x240@30 480x272@30 640x360@30 640x480@30 800x600@15 1024x576@10 1280x720@10
    > high=MJPG 1920x1080, photo=MJPG 2560x1440, 4k=none, 1080=MJPG 1920x1080, 720=MJPG 1280x720, 540=none
    > vga=YUYV 640x480, cif=none, medium=YUYV 480x272, low=YUYV 320x240

    * MS2109 and MS9333 HDMI grabber, the README of a repository named OCZ4-HDMI-Capture-Card
    MJPG 1920x1080@60 1600x1200@60 1360x768@60 1280x1024@60 1280x960@60 1280x720@60 1024x768@60 800x600@60
    MJPG 720x576@60 720x480@60 640x480@60
    YUYV 1920x1080@5 1600x1200@5 1360x768@8 1280x1024@8 1280x960@8 1280x720@10 1024x768@10 800x600@20 720x576@25
    YUYV 720x480@30 640x480@30
    > high=MJPG 1920x1080, photo=MJPG 1920x1080, 4k=none, 1080=MJPG 1920x1080, 720=MJPG 1280x720, 540=none
    > vga=YUYV 640x480, cif=none, medium=YUYV 640x480, low=YUYV 640x480

    * DJI Osmo Action 4, github.com/tailwind-streaming/gear-docs
    MJPG 1920x1080@30 1280x720@30 640x360@30
    > high=MJPG 1920x1080, photo=MJPG 1920x1080, 4k=none, 1080=MJPG 1920x1080, 720=MJPG 1280x720, 540=none, vga=none
    > cif=none, medium=MJPG 640x360, low=MJPG 640x360

    * A camera of a Raspberry Pi car, github.com/LPI2-DreamTeam/rfcar
    YUYV 640x480@30 352x288@30 320x240@30 176x144@30 160x120@30
    > high=YUYV 640x480, photo=YUYV 640x480, 4k=none, 1080=none, 720=none, 540=none, vga=YUYV 640x480
    > cif=YUYV 352x288, medium=YUYV 352x288, low=YUYV 176x144
    """

  /// One camera of the text.
  struct Camera: Sendable {
    var name: String
    var formats: [(code: String, format: StreamFormat)] = []
    var expected: [(preset: AVCaptureSession.Preset, choice: String)] = []
  }

  enum Mistake: Error {
    case line(String)
  }

  private static let encodings: [String: FrameEncoding] = [
    "YUYV": .pixels(kCVPixelFormatType_422YpCbCr8_yuvs), "MJPG": .motionJPEG,
    "NV12": .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange),
    "YU12": .pixels(kCVPixelFormatType_420YpCbCr8Planar), "GREY": .pixels(kCVPixelFormatType_OneComponent8),
    "Y16": .pixels(kCVPixelFormatType_OneComponent16), "UYVY": .pixels(kCVPixelFormatType_422YpCbCr8),
  ]

  private static let presets: [String: AVCaptureSession.Preset] = [
    "high": .high, "medium": .medium, "low": .low, "photo": .photo, "4k": .hd4K3840x2160,
    "1080": .hd1920x1080,
    "720": .hd1280x720, "540": .iFrame960x540, "vga": .vga640x480, "cif": .cif352x288,
  ]

  static func cameras() throws -> [Camera] {
    var cameras: [Camera] = []
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      switch words[0] {
      case "*": cameras.append(Camera(name: words.dropFirst().joined(separator: " ")))
      case ">": cameras[cameras.count - 1].expected += try expected(String(line.dropFirst(2)))
      default: cameras[cameras.count - 1].formats += try words.dropFirst().map { try format(words[0], $0) }
      }
    }
    return cameras
  }

  private static func format(_ code: String, _ word: String) throws -> (String, StreamFormat) {
    let parts = word.split(whereSeparator: { "x@".contains($0) }).map(String.init)
    guard parts.count == 3, let encoding = encodings[code], let width = Int(parts[0]),
      let height = Int(parts[1]),
      let rate = parts[2] == "?" ? 30 : Double(parts[2])
    else { throw Mistake.line(word) }
    let duration = FrameDuration(2, Int32(2 * rate))
    return (
      code,
      StreamFormat(
        size: FrameSize(width: width, height: height), encoding: encoding,
        frameDurations: [duration...duration])
    )
  }

  private static func expected(_ line: String) throws -> [(AVCaptureSession.Preset, String)] {
    try line.components(separatedBy: ", ").map { entry in
      let parts = entry.components(separatedBy: "=")
      guard parts.count == 2, let preset = presets[parts[0]] else { throw Mistake.line(entry) }
      return (preset, parts[1])
    }
  }
}
