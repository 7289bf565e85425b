#import <Foundation/Foundation.h>

@interface Store : NSObject
@property (nonatomic) int size;
- (void)flush:(BOOL)deep into:(NSString *)path;
@end

@implementation Store
- (void)flush:(BOOL)deep into:(NSString *)path {
    int total = 1;
}

+ (instancetype)open {
    return nil;
}
@end
